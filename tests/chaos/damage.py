"""Damage to the vector store's files, as kills, full disks and failing cards have left it."""

from __future__ import annotations

import os
import struct
from collections.abc import Callable
from pathlib import Path

_HUGE = 1 << 42


def poison_links(chroma: Path) -> None:
    """Terabytes by name and almost nothing on the disk: seen after a kill in mid-write (chroma-core/chroma#7510)."""
    os.truncate(_index_file(chroma, "link_lists.bin"), _HUGE)


def poison_link_lengths(chroma: Path) -> None:
    """A length that is not true, inside of a file of the right size: reading it would ask for gigabytes."""
    links = _index_file(chroma, "link_lists.bin")
    count = max(links.stat().st_size // 4, 64)
    links.write_bytes(struct.pack("<I", 0xFFFFFFF0) * count)


def cut_links(chroma: Path) -> None:
    _cut(_index_file(chroma, "link_lists.bin"))


def cut_vectors(chroma: Path) -> None:
    _cut(_index_file(chroma, "data_level0.bin"))


def empty_vectors(chroma: Path) -> None:
    os.truncate(_index_file(chroma, "data_level0.bin"), 0)


def poison_vectors(chroma: Path) -> None:
    os.truncate(_index_file(chroma, "data_level0.bin"), _HUGE)


def poison_header(chroma: Path) -> None:
    """As many elements as a header can say."""
    header = _index_file(chroma, "header.bin")
    header.write_bytes(b"\xff" * header.stat().st_size)


def lose_index(chroma: Path) -> None:
    for file in _index_file(chroma, "header.bin").parent.iterdir():
        file.unlink()


def cut_database(chroma: Path) -> None:
    _cut(_database(chroma))


def garble_database(chroma: Path) -> None:
    _database(chroma).write_bytes(os.urandom(_database(chroma).stat().st_size))


def garble_pages(chroma: Path) -> None:
    """The beginning is whole and the middle is not."""
    database = _database(chroma)
    size = database.stat().st_size
    with database.open("r+b") as file:
        for start in range(size // 4, size * 3 // 4, 64 * 1024):
            file.seek(start)
            file.write(os.urandom(8192))


def empty_database(chroma: Path) -> None:
    os.truncate(_database(chroma), 0)


def lose_pointer(chroma: Path) -> None:
    (chroma / "current").unlink()


def garble_pointer(chroma: Path) -> None:
    (chroma / "current").write_bytes(b"\xff\xfe\x00../..")


DAMAGES: tuple[Callable[[Path], None], ...] = (
    poison_links,
    poison_link_lengths,
    cut_links,
    cut_vectors,
    empty_vectors,
    poison_vectors,
    poison_header,
    lose_index,
    cut_database,
    garble_database,
    garble_pages,
    empty_database,
    lose_pointer,
    garble_pointer,
)


def _index_file(chroma: Path, name: str) -> Path:
    """Of the collection with the most vectors."""
    return max(chroma.glob(f"generation-*/*/{name}"), key=lambda f: f.with_name("data_level0.bin").stat().st_size)


def _database(chroma: Path) -> Path:
    [database] = chroma.glob("generation-*/chroma.sqlite3")
    return database


def _cut(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)
