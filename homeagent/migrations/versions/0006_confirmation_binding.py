"""what a yes is to, where it was asked for, and the number that people call it by"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("confirmations", schema=None) as batch_op:
        batch_op.add_column(sa.Column("device_id", sa.String(length=200), nullable=True))
        batch_op.add_column(sa.Column("language", sa.String(length=100), nullable=True))
        batch_op.add_column(sa.Column("number", sa.Integer(), nullable=True))
        batch_op.add_column(sa.Column("consequences", sa.JSON(), nullable=True))
        batch_op.add_column(sa.Column("digest", sa.String(length=64), nullable=True))
        batch_op.create_index(batch_op.f("ix_confirmations_expires_at"), ["expires_at"], unique=False)
        batch_op.create_index(batch_op.f("ix_confirmations_number"), ["number"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("confirmations", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_confirmations_number"))
        batch_op.drop_index(batch_op.f("ix_confirmations_expires_at"))
        for column in ("digest", "consequences", "number", "language", "device_id"):
            batch_op.drop_column(column)
