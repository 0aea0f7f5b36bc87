"""The command line: `merge-window import`, `report`, `serve` and the rest.

Results go to stdout (or `-o FILE`), progress and errors to stderr. Exit 0 is done, 1 one sentence of error, 2 wrong
usage. Nothing heavy is imported before the command is known, so that `--help` answers at once.
"""

import argparse
import json
import os
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dashboard.version import version
from data.counted import counted
from data.errors import BadWindow, CacheError, MergeWindowError
from data.moments import day_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analysis.window import Window
    from dashboard.config import Config
    from dashboard.reads import Selection
    from dashboard.report.document import Document

DEFAULT_PORT = 8501
UNITS = {"m": "minutes", "h": "hours", "d": "days"}
REPO_NAME = re.compile(r"[A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100}")
_OTHER_ID = "; the report's id is another now: rows, configuration or version have changed, but nothing that it says"
EPILOG = """examples:
  merge-window demo                                           the dashboard on a generated repository
  merge-window import clone ../app --repo acme/app            from a local git clone, again later for what is new
  gh pr list --state merged --limit 1000 --json number,title,body,author,mergedBy,createdAt,mergedAt,closedAt,\
updatedAt,additions,deletions,changedFiles,labels,files,reviews,milestone,mergeCommit,baseRefName,headRefName,\
isDraft,isCrossRepository,reviewDecision,url,state > prs.json
  merge-window import gh prs.json --repo acme/app             from what gh wrote
  merge-window serve                                          the dashboard on what was imported
  merge-window report --repo acme/app --week 2026-W16 --tz Asia/Shanghai --format json
  merge-window export --repo acme/app --last 4w --format parquet -o tables
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code."""
    try:
        options = _parser().parse_args(arguments)
        _config(options)  # a wrong configuration is told before anything is done
        options.run(options)
    except MergeWindowError as error:
        print(error, file=sys.stderr)
        return 1
    except BrokenPipeError:  # the reader of a pipe, such as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        print("Stopped; nothing half done was stored. The same command starts again, or goes on.", file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="merge-window",
        description="Shows what a team's merged pull requests changed: a dashboard and reports from a SQLite cache.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action=_Version, help="tell the version and stop")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    common = _common_options()

    def command(name: str, run: Callable[[argparse.Namespace], None], says: str) -> argparse.ArgumentParser:
        made = commands.add_parser(name, parents=[common], help=says, description=says[0].upper() + says[1:] + ".")
        made.set_defaults(run=run)
        return made

    demo = command("demo", _demo, "build a sample repository in a cache of its own and serve the dashboard on it")
    demo.add_argument("--no-serve", action="store_true", help="only build the cache")
    _server_options(demo)
    _import_commands(commands, common)
    _sync_options(
        command("sync", _sync, "fill and refresh the cache from GitHub; run again for what is new, or to go on")
    )
    derive = command(
        "derive", _derive, "judge the cached pull requests anew where rows, rules or configuration changed"
    )
    derive.add_argument("--repo", metavar="R", help="only this repository (owner/name)")
    derive.add_argument("--full", action="store_true", help="even where nothing has changed")
    _report_options(command("report", _report, "the report of a window: what changed, what is risky, what to do next"))
    verify = command("verify", _verify, "recompute every claim of a saved JSON report and name what differs")
    verify.add_argument("report", type=Path, metavar="REPORT.json", help="as `report --format json` wrote it")
    _compare_options(command("compare", _compare, "one window against another"))
    _export_options(command("export", _export, "the tables behind the pages, one file each"))
    _backtest_options(
        command("backtest", _backtest, "how well the risk rules foresaw what was reverted or repaired later")
    )
    status = command("status", _status, "what is cached: repositories, coverage, gaps, last import")
    status.add_argument("--format", choices=("md", "json"), default="md")
    remove = command("remove", _remove, "take a repository out of the cache")
    remove.add_argument("repo", metavar="R", help="owner/name")
    _host_option(remove)
    prune = command("prune", _prune, "take pull requests merged or closed before a date out of the cache")
    prune.add_argument("--before", type=_date, required=True, metavar="DATE", help="such as 2024-01-01")
    backup = command("backup", _backup, "copy the cache while it is in use")
    backup.add_argument("file", type=Path, metavar="FILE")
    restore = command("restore", _restore, "put a backup in the cache's place")
    restore.add_argument("file", type=Path, metavar="FILE")
    serve = command("serve", _serve, "the dashboard in the browser")
    _server_options(serve)
    serve.add_argument(
        "--sync-every", type=_span, metavar="SPAN", help="sync what is cached with GitHub now and every 30m, 1h, 1d ..."
    )
    return parser


def _common_options() -> argparse.ArgumentParser:
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument(
        "--db", type=Path, metavar="FILE", help="the cache (else MERGE_WINDOW_DB, else a file in your data folder)"
    )
    common.add_argument(
        "--config", type=Path, metavar="FILE", help="else MERGE_WINDOW_CONFIG, else ./merge-window.toml if it is there"
    )
    return common


def _server_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", type=_port, default=DEFAULT_PORT, metavar="N", help=f"default {DEFAULT_PORT}")
    parser.add_argument("--host", default="127.0.0.1", metavar="ADDR", help="default 127.0.0.1: this machine only")


def _import_commands(commands: Any, common: argparse.ArgumentParser) -> None:
    says = "read pull requests from a git clone or from what `gh` wrote"
    kinds = commands.add_parser("import", help=says, description=says).add_subparsers(required=True, metavar="SOURCE")
    clone = kinds.add_parser("clone", parents=[common], help="merged pull requests from the history of a local clone")
    clone.add_argument("path", type=Path, metavar="PATH", help="the clone or bare repository")
    clone.add_argument("--repo", type=_repo, required=True, metavar="R", help="owner/name")
    clone.add_argument("--branch", metavar="B", help="whose history is read (default: the clone's default branch)")
    clone.add_argument("--since", type=_date, metavar="DATE", help="nothing merged before this day")
    clone.add_argument(
        "--patches", action="store_true", help="read the patches too: new TODOs, skipped tests, changed interfaces ..."
    )
    _host_option(clone)
    clone.set_defaults(run=_import_clone)
    export = kinds.add_parser("gh", parents=[common], help="the JSON of `gh pr list --json ...`")
    export.add_argument("file", metavar="FILE", help="an array or an object a line, plain or gz; - for stdin")
    export.add_argument("--repo", type=_repo, required=True, metavar="R", help="owner/name")
    _host_option(export)
    export.set_defaults(run=_import_gh)


def _host_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", metavar="URL", help="the Enterprise server it is on, such as ghe.example.com")


def _sync_options(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "The token comes from GITHUB_TOKEN, GH_TOKEN or `gh auth token`; a GitHub App's from MERGE_WINDOW_APP_ID and"
        " MERGE_WINDOW_APP_KEY (the file of its key). MERGE_WINDOW_CA_BUNDLE names certificates of your own."
    )
    parser.add_argument("repos", nargs="+", type=_repo, metavar="R", help="owner/name")
    _host_option(parser)
    parser.add_argument("--since", type=_date, metavar="DATE", help="fetch nothing that was opened before this day")
    parser.add_argument("--full", action="store_true", help="read everything anew")
    parser.add_argument("--dry-run", action="store_true", help="only tell how many calls and minutes it would take")
    parser.add_argument(
        "--wait", type=_minutes, default=15.0, metavar="MINUTES", help="that a rate limit is waited for (default 15)"
    )
    parser.add_argument(
        "--page-size", type=_page_size, metavar="N", help="pull requests a page to begin with, 1 to 100 (default 25)"
    )


def _report_options(parser: argparse.ArgumentParser) -> None:
    _window_options(parser)
    _text_options(parser)
    parser.add_argument("--format", choices=("md", "html", "json", "xlsx", "pdf"), default="md")
    parser.add_argument("--length", choices=("S", "M", "L"), default="M", help="how much is told (default M)")
    parser.add_argument(
        "--split",
        action="store_true",
        help="Markdown in parts that fit into a comment: FILE becomes FILE-1, FILE-2 ...",
    )
    parser.add_argument(
        "--notify",
        action="append",
        metavar="URL",
        help="send the summary there too (an address of apprise; repeatable)",
    )
    parser.add_argument("--preview", action="store_true", help="with --notify: show what would be sent, send nothing")


def _export_options(parser: argparse.ArgumentParser) -> None:
    _window_options(parser)
    parser.add_argument("--format", choices=("csv", "parquet"), default="csv", help="default csv")
    parser.add_argument(
        "-o", "--output", type=Path, required=True, metavar="FOLDER", help="where the files go; made if need be"
    )


def _compare_options(parser: argparse.ArgumentParser) -> None:
    _window_options(parser)
    _text_options(parser)
    parser.add_argument(
        "--before-since", metavar="D", help="first day of the other window (default: as many days, just before)"
    )
    parser.add_argument("--before-until", metavar="D", help="its last day, included")
    parser.add_argument("--format", choices=("md", "json"), default="md")


def _window_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--repo", required=True, metavar="R", help="owner/name, also a former one")
    parser.add_argument("--week", metavar="WEEK", help="an ISO week such as 2026-W16")
    parser.add_argument("--since", metavar="D", help="first day, such as 2026-04-13")
    parser.add_argument("--until", metavar="D", help="last day, included")
    parser.add_argument("--last", metavar="SPAN", help="the latest 4w (whole weeks), 3m (whole months) or 7d (days)")
    parser.add_argument(
        "--release",
        metavar="A..B",
        help="between two tags: from the day after A's to B's, for a window is whole days, so that all that was merged"
        " on A's day counts before it; a tag on a release branch is of the day when that branch began. `A..` goes on to"
        " the cache's last day",
    )
    parser.add_argument(
        "--tz", metavar="Z", help="the zone that cuts the days (default: the configuration's, else UTC)"
    )
    parser.add_argument(
        "--base", metavar="NAME", help="merged into this branch ('*': any; default: the default branch)"
    )
    parser.add_argument("--bots", action="store_true", help="count bots' pull requests too")


def _text_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--lang", choices=("en", "zh"), help="default: the configuration's, else en")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write there instead of stdout")


def _backtest_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--repo", required=True, metavar="R", help="owner/name, also a former one")
    parser.add_argument("--since", type=_date, metavar="D", help="first day that is evaluated (default: all of them)")
    parser.add_argument("--format", choices=("md", "json"), default="md")
    parser.add_argument("--lang", choices=("en", "zh"), help="of the text; default: the configuration's, else en")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write there instead of stdout")


def _demo(options: argparse.Namespace) -> None:
    from dashboard import refresh
    from data.cache import default_path

    db = options.db or default_path().with_name("demo.db")
    with _progress("Building the sample repository") as progress:
        refresh.import_demo(db, _config(options), progress=progress)
    print(f"The sample repository is in {db}", file=sys.stderr)
    if not options.no_serve:
        _serve_on(db, options)


def _import_clone(options: argparse.Namespace) -> None:
    from dashboard import refresh

    with _progress("Reading the history") as progress:
        result = refresh.import_clone(
            _db(options),
            options.repo,
            options.path,
            _config(options),
            branch=options.branch,
            since=str(options.since) if options.since else None,
            host=options.host,
            patches=options.patches,
            progress=progress,
        )
    _tell(result)


def _import_gh(options: argparse.Namespace) -> None:
    from dashboard import refresh

    file = sys.stdin.buffer if options.file == "-" else Path(options.file)
    with _progress("Reading pull requests") as progress:
        result = refresh.import_gh(
            _db(options), options.repo, file, _config(options), host=options.host, progress=progress
        )
    _tell(result)


def _sync(options: argparse.Namespace) -> None:
    from dashboard import refresh, sync_words
    from dashboard.refresh import Synced
    from data.moments import now

    config, db = _config(options), _db(options)
    if options.since and options.since > day_of(now()[:10]):
        raise BadWindow(f"--since {options.since} lies in the future: nothing would be read. Give an earlier day.")
    shared = {"host": options.host, "since": options.since, "full": options.full, "page_size": options.page_size}
    failed = []
    if options.dry_run:
        for told in refresh.estimate(db, options.repos, config=config, **shared):
            if isinstance(told, Synced):
                failed.append(told)
            else:
                print(sync_words.estimate(told))
    else:
        with sync_words.Line() as line:
            for done in refresh.sync(db, options.repos, config, wait=options.wait, tell=line.tell, **shared):
                line.end()
                failed += [done] if done.error else []
                for sentence in sync_words.outcome(done):
                    print(sentence, file=sys.stderr if sentence.startswith(sync_words.NOTE) else sys.stdout)
    if failed:
        several = len(options.repos) > 1
        raise MergeWindowError(
            "\n".join(f"{each.repo}: {each.error}" if several else str(each.error) for each in failed)
        )


def _derive(options: argparse.Namespace) -> None:
    from dashboard import refresh

    for done in refresh.derive(_existing(options), _config(options), repo=options.repo, full=options.full):
        print(
            f"{done.repo}: {counted(done.pulls, 'pull request')} judged"
            if done.pulls
            else f"{done.repo}: nothing has changed"
        )


def _report(options: argparse.Namespace) -> None:
    from dashboard import reads, refresh
    from dashboard.report import html, notify
    from dashboard.report.document import with_claims
    from dashboard.report.pdf import pdf
    from dashboard.report.xlsx import xlsx

    db, config = _existing(options), _config(options)
    selection = _selection(db, options, config)
    if refresh.is_stale(db, config):
        refresh.derive(db, config)
    facts = reads.report(
        db, selection, lang=options.lang or config.lang or "en", config=config.digest, version=version()
    )
    if options.preview or options.notify:
        worded = _worded(facts, options, config)
        if options.preview:
            _write(notify.message(worded) + "\n", options.output)
            return
        notify.send(worded, options.notify)
    if options.format == "json":
        _write(json.dumps(with_claims(facts), ensure_ascii=False, indent=2) + "\n", options.output)
    elif options.format == "xlsx":
        _write(xlsx(facts), options.output)
    elif options.format == "md":
        _write_parts(_worded(facts, options, config), options)
    else:
        page = html.page(_worded(facts, options, config, marked=True), facts)
        _write(page if options.format == "html" else pdf(page), options.output)


def _write_parts(worded: "Document", options: argparse.Namespace) -> None:
    """The Markdown, with `--split` in as many files as it takes."""
    from dashboard.report.parts import parts

    found = parts(worded) if options.split else [worded.markdown]
    if len(found) == 1:
        _write(found[0], options.output)
        return
    if options.output is None:
        raise MergeWindowError(f"The report has {len(found)} parts. Name a file for them: -o report.md")
    for at, text in enumerate(found, 1):
        _write(text, options.output.with_stem(f"{options.output.stem}-{at}"))


def _worded(
    facts: dict[str, Any], options: argparse.Namespace, config: "Config", *, marked: bool = False
) -> "Document":
    """The report in words; what is wrong with the team's own layouts is told in the terminal."""
    from dashboard.report.document import document

    made = document(facts, length=options.length, templates=config.templates, marked=marked)
    for problem in made.problems:
        print(f"Note: {problem}", file=sys.stderr)
    return made


def _verify(options: argparse.Namespace) -> None:
    from dashboard import refresh
    from dashboard.report import verify

    saved = verify.load(options.report)
    db, config = _existing(options), _config(options)
    if refresh.is_stale(db, config):
        refresh.derive(db, config)
    found = verify.verify(db, saved, config=config, version=version())
    for difference in found.differences:
        print(difference)
    if found.differences:
        n = len(found.differences)
        raise MergeWindowError(f"{counted(n, 'difference')} between {options.report} and the cache of today.")
    print(f"All {counted(found.n_claims, 'claim')} hold" + ("" if found.same_id else _OTHER_ID))


def _compare(options: argparse.Namespace) -> None:
    from dashboard import compare_text, reads, refresh

    db, config = _existing(options), _config(options)
    selection = _selection(db, options, config)
    before = _before(selection.window, options)
    if refresh.is_stale(db, config):
        refresh.derive(db, config)
    found = compare_text.facts(
        reads.compare(db, selection, before, config.calendar),
        reads.about(db, selection),
        reads.about(db, replace(selection, window=before)),
        lang=options.lang or config.lang or "en",
        calendar=config.calendar,
        config=config.digest,
        version=version(),
    )
    text = compare_text.as_json(found) if options.format == "json" else compare_text.as_markdown(found)
    _write(text, options.output)


def _export(options: argparse.Namespace) -> None:
    from dashboard import export, refresh

    db, config = _existing(options), _config(options)
    selection = _selection(db, options, config)
    if refresh.is_stale(db, config):
        refresh.derive(db, config)
    files = export.write(db, selection, config, options.output, options.format)
    print(f"{len(files)} tables are in {options.output}")


def _backtest(options: argparse.Namespace) -> None:
    from dashboard import backtest_text, reads, refresh

    db, config = _existing(options), _config(options)
    if refresh.is_stale(db, config):
        refresh.derive(db, config)
    found = reads.backtest(db, options.repo, version=version(), since=options.since, tz=config.tz)
    text = (
        json.dumps(found, ensure_ascii=False, indent=2) + "\n"
        if options.format == "json"
        else backtest_text.markdown(found, options.lang or config.lang or "en")
    )
    _write(text, options.output)


def _status(options: argparse.Namespace) -> None:
    from dashboard import status

    _write(status.as_json(_existing(options)) if options.format == "json" else status.as_markdown(_existing(options)))


def _remove(options: argparse.Namespace) -> None:
    from dashboard import refresh

    gone = refresh.remove(_existing(options), options.repo, options.host)
    print(f"{options.repo} is out of the cache: {counted(gone, 'pull request')}")


def _prune(options: argparse.Namespace) -> None:
    from dashboard import refresh

    gone = refresh.prune(_existing(options), options.before, _config(options))
    print(f"Out of the cache: {counted(gone, 'pull request')} merged or closed before {options.before}")


def _backup(options: argparse.Namespace) -> None:
    from data import cache

    cache.backup(_db(options), options.file)
    print(f"The cache is copied to {options.file}")


def _restore(options: argparse.Namespace) -> None:
    from data import cache

    cache.restore(_db(options), options.file)
    print(f"The cache at {_db(options)} is as it was in {options.file}")


def _serve(options: argparse.Namespace) -> None:
    _serve_on(_db(options), options)


def _serve_on(db: Path, options: argparse.Namespace) -> None:
    from dashboard import serve
    from data import cache

    cache.check(db)  # told here, in the terminal, rather than on every page
    serve.run(db, options.config, options.host, options.port, sync_every=getattr(options, "sync_every", None))


def _selection(db: Path, options: argparse.Namespace, config: "Config") -> "Selection":
    from dashboard import reads

    window = _window(db, options, options.tz or config.tz)
    return reads.Selection(options.repo, window, options.base, options.bots, options.release)


def _window(db: Path, options: argparse.Namespace, tz: str) -> "Window":
    """The window that the options ask for; without any, the latest complete ISO week in the cache."""
    from analysis import window
    from dashboard import reads

    asked = [name for name in ("week", "last", "release") if getattr(options, name) is not None]
    asked += ["since/until"] if options.since or options.until else []
    if len(asked) > 1:
        raise BadWindow(f"The window is given twice, by {' and '.join(asked)}. Give it in one way.")
    if options.week:
        return window.iso_week(options.week, tz)
    if options.since or options.until:
        return window.between(options.since, options.until, tz)
    if options.release is not None:
        return reads.release_window(db, options.repo, options.release, tz)
    covered = reads.coverage(db, options.repo, tz)
    if covered is None:
        raise BadWindow(f"No merged pull request of {options.repo} is cached. Name a window, or import some.")
    if options.last:
        return window.last(options.last, covered.last, tz)
    return reads.default_window(db, options.repo, tz) or window.period_of(covered.last, "W", tz)


def _before(window: "Window", options: argparse.Namespace) -> "Window":
    """The window that is compared with: the one named, else the equal period just before."""
    from analysis.window import between

    if not options.before_since and not options.before_until:
        return window.before
    if not options.before_since or not options.before_until:
        raise BadWindow("The window before has one end only. Give both --before-since and --before-until.")
    return between(options.before_since, options.before_until, window.tz)


def _config(options: argparse.Namespace) -> "Config":
    from dashboard import config

    return config.load(options.config)


def _db(options: argparse.Namespace) -> Path:
    from dashboard import config

    return config.db_path(options.db)


def _existing(options: argparse.Namespace) -> Path:
    """The cache, for commands that would find nothing in a new one."""
    db = _db(options)
    if not db.exists():
        raise CacheError(f"There is no cache at {db}. Import something first, or run: merge-window demo")
    return db


def _tell(result: Any) -> None:
    for note in result.notes:
        print(f"Note: {note}", file=sys.stderr)
    n_direct = result.direct_commits
    direct = f", {counted(n_direct, 'commit')} without a pull request" if n_direct else ""
    print(f"{result.repo}: {counted(result.fetched, 'pull request')} read, {result.saved:,} new or changed{direct}")


def _write(content: str | bytes, file: Path | None = None) -> None:
    # The same bytes everywhere, whatever the terminal's or the pipe's encoding is taken to be.
    written = content.encode() if isinstance(content, str) else content
    if file is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(written)
        return
    # Beside the file and renamed at the end: an earlier report outlives a full disk.
    partial = file.with_name(file.name + ".partial")
    try:
        try:
            partial.write_bytes(written)
            partial.replace(file)
        finally:
            partial.unlink(missing_ok=True)
    except OSError as error:
        raise MergeWindowError(f"{file} can't be written: {error.strerror}. Name another file.") from error


@contextmanager
def _progress(says: str) -> "Iterator[Callable[[int], None]]":
    """Counts on one line of a terminal; elsewhere it stays silent."""
    shown = sys.stderr.isatty()

    def tell(count: int) -> None:
        if shown:
            print(f"\r{says}: {counted(count, 'pull request')} ", end="", file=sys.stderr, flush=True)

    try:
        yield tell
    finally:
        if shown:
            print(file=sys.stderr)


def _date(text: str) -> date:
    """A day that can be told in any zone; a wrong one is an error of one sentence, as it is in a window."""
    from analysis.window import FIRST_DAY, LAST_DAY, YEARS

    day = day_of(text)
    if not FIRST_DAY <= day <= LAST_DAY:
        raise BadWindow(f"{text} lies outside the years {YEARS}. Choose a nearer date.")
    return day


def _span(text: str) -> timedelta:
    found = re.fullmatch(r"(\d{1,5})([mhd])", text)
    span = timedelta(**{UNITS[found[2]]: int(found[1])}) if found else timedelta()
    if span < timedelta(minutes=1):
        raise argparse.ArgumentTypeError(f"{text!r} is no length of time; write it like 30m, 1h or 1d")
    return span


def _minutes(text: str) -> float:
    try:
        minutes = float(text)
    except ValueError:
        minutes = -1.0
    if not 0 <= minutes < 10_000:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of minutes; give one such as 15")
    return minutes


def _page_size(text: str) -> int:
    if not text.isdigit() or not 0 < int(text) <= 100:
        raise argparse.ArgumentTypeError(f"{text!r} is no page size; give a number from 1 to 100")
    return int(text)


def _repo(text: str) -> str:
    if not REPO_NAME.fullmatch(text) or set(text.split("/")) & {".", ".."}:
        raise argparse.ArgumentTypeError(f"{text!r} is no repository; write it like owner/name")
    return text


def _port(text: str) -> int:
    if not text.isdigit() or not 0 < int(text) < 65536:
        raise argparse.ArgumentTypeError(f"{text!r} is no port; give a number from 1 to 65535")
    return int(text)


class _Version(argparse.Action):
    def __init__(self, option_strings: Sequence[str], dest: str, help: str | None = None) -> None:
        super().__init__(option_strings, dest, nargs=0, help=help)

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        print(f"merge-window {version()}")
        parser.exit()


if __name__ == "__main__":
    sys.exit(main())
