"""Weekly and monthly sums, kept in step with the pull requests inside the transaction that writes those.

A stored week or month belongs to one time zone; another zone's report reads rows instead.
"""

import sqlite3
from collections.abc import Iterable
from datetime import date, timedelta

from data.moments import local_day, midnight, monday_of, month_after


def update(connection: sqlite3.Connection, repository: int, tz: str, moments: Iterable[str]) -> None:
    """Redo the weekly and monthly sums of the periods that these moments lie in, in every zone that is kept."""
    kept = _zones(connection, repository)
    moments = list(moments)
    if tz not in kept:
        _sum_zone(connection, repository, tz, _all_moments(connection, repository))
    for name in sorted(kept):
        _sum_zone(connection, repository, name, moments)


def redo(connection: sqlite3.Connection, repository: int) -> None:
    """Redo all sums of a repository from its rows."""
    zones = _zones(connection, repository)
    for table in ("weeks", "file_months"):
        connection.execute(f"delete from {table} where repository_id = ?", (repository,))
    for tz in sorted(zones):
        _sum_zone(connection, repository, tz, _all_moments(connection, repository))


def _zones(connection: sqlite3.Connection, repository: int) -> set[str]:
    rows = connection.execute("select distinct tz from weeks where repository_id = ?", (repository,))
    return {tz for (tz,) in rows}


def _all_moments(connection: sqlite3.Connection, repository: int) -> list[str]:
    rows = connection.execute(
        "select merged_at from pulls where repository_id = ? and merged_at is not null", (repository,)
    )
    return [moment for (moment,) in rows]


def _sum_zone(connection: sqlite3.Connection, repository: int, tz: str, moments: Iterable[str]) -> None:
    days = {local_day(moment, tz) for moment in moments}
    for monday in sorted({monday_of(day) for day in days}):
        _sum_period(connection, "weeks", "week", repository, tz, monday, monday + timedelta(days=7))
    for first in sorted({day.replace(day=1) for day in days}):
        _sum_period(connection, "file_months", "month", repository, tz, first, month_after(first))


def _sum_period(
    connection: sqlite3.Connection, table: str, column: str, repository: int, tz: str, first: date, after: date
) -> None:
    connection.execute(
        f"delete from {table} where repository_id = ? and tz = ? and {column} = ?", (repository, tz, str(first))
    )
    connection.execute(_SUMS[table], (repository, tz, str(first), repository, midnight(first, tz), midnight(after, tz)))


_SUM_ROWS = (
    " from pulls p left join people a on a.id = p.author_id {join}"
    " where p.repository_id = ? and p.merged_at >= ? and p.merged_at < ? group by coalesce(p.base, ''), {group}"
)
_IS_BOT = "coalesce(a.type = 'bot', 0)"
_SUMS = {
    "weeks": f"insert into weeks select ?, ?, ?, coalesce(p.base, ''), {_IS_BOT}, count(*),"
    " coalesce(sum(p.additions), 0), coalesce(sum(p.deletions), 0)" + _SUM_ROWS.format(join="", group=_IS_BOT),
    "file_months": f"insert into file_months select ?, ?, ?, coalesce(p.base, ''), {_IS_BOT}, f.path_id, count(*),"
    " coalesce(sum(coalesce(f.additions, 0) + coalesce(f.deletions, 0)), 0)"
    + _SUM_ROWS.format(join="join files f on f.pull_id = p.id", group=f"{_IS_BOT}, f.path_id"),
}
