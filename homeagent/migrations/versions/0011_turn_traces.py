"""how each turn went"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("turns", sa.Column("trace", sa.JSON(), nullable=True))


def downgrade() -> None:
    op.drop_column("turns", "trace")
