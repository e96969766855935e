"""The owner's own tests: sentences that went wrong."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "own_tests",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("turn_id", sa.String(length=64), nullable=False),
        sa.Column("language", sa.String(length=100), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("calls", sa.JSON(), nullable=False),
        sa.Column("home", sa.JSON(), nullable=False),
        sa.Column("led_up", sa.JSON(), nullable=False),
        sa.Column("area", sa.String(length=200), nullable=True),
        sa.Column("user_id", sa.String(length=200), nullable=True),
        sa.Column("right", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_own_tests_turn_id", "own_tests", ["turn_id"])


def downgrade() -> None:
    op.drop_table("own_tests")
