"""what memories are about, what happened to them, turns to look through"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "memory_installation", sa.Column("id", sa.String(length=64), nullable=False), sa.PrimaryKeyConstraint("id")
    )
    op.create_table(
        "memory_log",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("memory_id", sa.String(length=64), nullable=False),
        sa.Column("user_id", sa.String(length=200), nullable=True),
        sa.Column("what", sa.String(length=30), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("memory_log", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_memory_log_at"), ["at"], unique=False)
        batch_op.create_index(batch_op.f("ix_memory_log_memory_id"), ["memory_id"], unique=False)

    op.create_table(
        "memory_outbox",
        sa.Column("turn_id", sa.String(length=64), nullable=False),
        sa.Column("turn", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("next_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("turn_id"),
    )
    with op.batch_alter_table("memory_outbox", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_memory_outbox_created_at"), ["created_at"], unique=False)

    op.create_table(
        "memory_subjects",
        sa.Column("memory_id", sa.String(length=64), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("subject_id", sa.String(length=255), nullable=False),
        sa.Column("text", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(["memory_id"], ["memories.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("memory_id", "place"),
    )
    with op.batch_alter_table("memory_subjects", schema=None) as batch_op:
        batch_op.create_index("ix_memory_subjects_subject", ["subject_id", "kind"], unique=False)

    with op.batch_alter_table("memories", schema=None) as batch_op:
        batch_op.add_column(sa.Column("slot", sa.String(length=64), nullable=True))
        batch_op.add_column(sa.Column("category", sa.String(length=20), nullable=True))
        batch_op.add_column(sa.Column("key", sa.String(length=200), nullable=True))
        batch_op.add_column(sa.Column("value", sa.Text(), nullable=True))
        batch_op.add_column(sa.Column("confidence", sa.Double(), server_default="0.9", nullable=False))
        batch_op.add_column(sa.Column("inferred", sa.Boolean(), server_default=sa.false(), nullable=False))
        batch_op.add_column(sa.Column("sensitivity", sa.String(length=20), server_default="public", nullable=False))
        batch_op.add_column(sa.Column("uses", sa.Integer(), server_default="0", nullable=False))
        batch_op.add_column(sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=True))
        batch_op.create_index(batch_op.f("ix_memories_slot"), ["slot"], unique=True)
        batch_op.create_index(batch_op.f("ix_memories_superseded_by"), ["superseded_by"], unique=False)
        batch_op.create_index(batch_op.f("ix_memories_valid_to"), ["valid_to"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("memories", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_memories_valid_to"))
        batch_op.drop_index(batch_op.f("ix_memories_superseded_by"))
        batch_op.drop_index(batch_op.f("ix_memories_slot"))
        batch_op.drop_column("last_used_at")
        batch_op.drop_column("uses")
        batch_op.drop_column("sensitivity")
        batch_op.drop_column("inferred")
        batch_op.drop_column("confidence")
        batch_op.drop_column("value")
        batch_op.drop_column("key")
        batch_op.drop_column("category")
        batch_op.drop_column("slot")

    with op.batch_alter_table("memory_subjects", schema=None) as batch_op:
        batch_op.drop_index("ix_memory_subjects_subject")

    op.drop_table("memory_subjects")
    with op.batch_alter_table("memory_outbox", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_memory_outbox_created_at"))

    op.drop_table("memory_outbox")
    with op.batch_alter_table("memory_log", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_memory_log_memory_id"))
        batch_op.drop_index(batch_op.f("ix_memory_log_at"))

    op.drop_table("memory_log")
    op.drop_table("memory_installation")
