"""questions on phones and in chats, and where an answer came from"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "sent_questions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("confirmation_id", sa.String(length=64), nullable=False),
        sa.Column("channel", sa.String(length=20), nullable=False),
        sa.Column("target", sa.String(length=200), nullable=False),
        sa.Column("key_hash", sa.String(length=64), nullable=False),
        sa.Column("message", sa.String(length=100), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("language", sa.String(length=100), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("key_hash"),
    )
    op.add_column("confirmations", sa.Column("answered_on", sa.String(length=300), nullable=True))
    op.add_column("audit", sa.Column("answered_on", sa.String(length=300), nullable=True))


def downgrade() -> None:
    op.drop_column("audit", "answered_on")
    op.drop_column("confirmations", "answered_on")
    op.drop_table("sent_questions")
