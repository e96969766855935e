"""days of entities and areas, summed up"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "history_days",
        sa.Column("about", sa.String(length=255), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("name", sa.String(length=255), nullable=False),
        sa.Column("area_id", sa.String(length=255), nullable=True),
        sa.Column("area", sa.String(length=255), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("gist", sa.Text(), nullable=False),
        sa.Column("quiet", sa.Boolean(), nullable=False),
        sa.Column("over", sa.Boolean(), nullable=False),
        sa.Column("withdrawn", sa.Boolean(), nullable=False),
        sa.Column("figures", sa.JSON(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("registry_id", sa.String(length=64), nullable=True),
        sa.Column("text_hash", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("about", "day"),
    )
    with op.batch_alter_table("history_days", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_history_days_day"), ["day"], unique=False)
        batch_op.create_index(batch_op.f("ix_history_days_registry_id"), ["registry_id"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("history_days", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_history_days_registry_id"))
        batch_op.drop_index(batch_op.f("ix_history_days_day"))
    op.drop_table("history_days")
