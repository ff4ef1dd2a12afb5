"""The tables of a journal file, made anew, or brought up from an earlier format."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa

from device.store.chain import START_HASH, row_hash
from device.store.errors import JournalError

SCHEMA_VERSION = 2
"""SQLite's `user_version`: 1 had no hashes; the rows of such a file are chained when it is next opened for writing."""

_schema = sa.MetaData()
MATCHES = sa.Table(
    "matches",
    _schema,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("started", sa.Text, nullable=False),
)
EVENTS = sa.Table(
    "events",
    _schema,
    sa.Column("seq", sa.Integer, primary_key=True),
    sa.Column("match_id", sa.Text, sa.ForeignKey("matches.id"), nullable=False),
    sa.Column("boot_id", sa.Text, nullable=False),
    sa.Column("at_s", sa.Float, nullable=False),
    sa.Column("wall_time", sa.Text, nullable=False),
    sa.Column("type", sa.Text, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("hash", sa.Text, nullable=False, server_default=""),
    sa.Index("events_of_match", "match_id", "seq"),
)
_TRIGGERS = {
    f"{table}_no_{action.lower()}": f"BEFORE {action} ON {table} "
    "BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END"
    for table in ("matches", "events")
    for action in ("UPDATE", "DELETE")
}


def prepare(connection: sa.Connection, path: Path) -> None:
    """Make the tables of a new file or bring up those of an old one; all of it or, in a power cut, nothing.

    Raises:
        JournalError: the file is not ours, or newer than we are.
    """
    version = refuse_foreign(connection, path)
    if version == SCHEMA_VERSION:
        return
    # Python's sqlite3 opens transactions for changes of rows only, not for those of tables.
    connection.exec_driver_sql("BEGIN IMMEDIATE")
    if version == 1:
        _chain_old_rows(connection)
    else:
        _schema.create_all(connection)
    for name, rule in _TRIGGERS.items():
        connection.exec_driver_sql(f"CREATE TRIGGER IF NOT EXISTS {name} {rule}")
    connection.exec_driver_sql(f"PRAGMA user_version = {SCHEMA_VERSION}")


def _chain_old_rows(connection: sa.Connection) -> None:
    """Give every row of a file of format 1 its hash; the one change that a journal ever sees."""
    connection.exec_driver_sql("DROP TRIGGER IF EXISTS events_no_update")
    connection.exec_driver_sql("ALTER TABLE events ADD COLUMN hash TEXT NOT NULL DEFAULT ''")
    last = START_HASH
    for row in connection.execute(sa.select(EVENTS).order_by(EVENTS.c.seq)).all():
        last = row_hash(last, row._asdict())
        connection.execute(sa.update(EVENTS).where(EVENTS.c.seq == row.seq).values(hash=last))


def refuse_foreign(connection: sa.Connection, path: Path) -> int:
    """The file's schema version, 0 for a new file.

    Raises:
        JournalError: a newer Schiri made it, or it holds tables of another program.
    """
    version = int(connection.execute(sa.text("PRAGMA user_version")).scalar_one())
    strange = set(sa.inspect(connection).get_table_names()) - set(_schema.tables)
    if strange:
        raise JournalError(f"{path}: not a journal (it holds the table {min(strange)!r}); choose another file")
    if version > SCHEMA_VERSION:
        raise JournalError(
            f"{path}: made by a newer Schiri (its format is {version}, this one knows {SCHEMA_VERSION}); update Schiri"
        )
    return version
