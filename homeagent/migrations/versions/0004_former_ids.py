"""entity ids that things had before"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "former_ids",
        sa.Column("entity_id", sa.String(length=255), nullable=False),
        sa.Column("former", sa.String(length=255), nullable=False),
        sa.Column("until", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("entity_id", "former"),
    )


def downgrade() -> None:
    op.drop_table("former_ids")
