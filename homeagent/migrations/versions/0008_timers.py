"""what is to happen later"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "timers",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("due", sa.JSON(), nullable=False),
        sa.Column("next_due", sa.DateTime(timezone=True), nullable=True),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("remaining", sa.Double(), nullable=True),
        sa.Column("armed", sa.Boolean(), nullable=False),
        sa.Column("calls", sa.JSON(), nullable=False),
        sa.Column("approved", sa.JSON(), nullable=False),
        sa.Column("conversation_id", sa.String(length=64), nullable=True),
        sa.Column("user_id", sa.String(length=200), nullable=True),
        sa.Column("device_id", sa.String(length=200), nullable=True),
        sa.Column("area_id", sa.String(length=200), nullable=True),
        sa.Column("language", sa.String(length=100), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("fired_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("claimed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("note", sa.String(length=20), nullable=True),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    for column in ("next_due", "state", "changed_at", "claimed_at", "note"):
        op.create_index(f"ix_timers_{column}", "timers", [column])


def downgrade() -> None:
    op.drop_table("timers")
