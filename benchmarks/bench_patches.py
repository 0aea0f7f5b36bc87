"""What `import clone --patches` costs beside a plain import of the same clones, as ratios inside one run.

usage: python benchmarks/bench_patches.py CLONE ...

Each import runs in a process of its own, into a cache of its own. Processor time is that of git and ours together: it
hardly depends on what else the machine does.
"""

import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from data.moments import now

IMPORT = "import sys; from dashboard.cli import main; sys.exit(main(sys.argv[1:]))"
ROUNDS = 3


def main() -> None:
    for clone in sys.argv[1:]:
        rounds = [(measure(clone), measure(clone, "--patches")) for _ in range(ROUNDS)]
        plain, patches = (
            [statistics.median(one[which][figure] for one in rounds) for figure in (0, 1)] for which in (0, 1)
        )
        print(f"{clone}: plain {plain[0]:.1f} s of processor time, {plain[1]:.1f} s in all")
        print(f"  --patches {patches[0] / plain[0]:.1f} x the processor time, {patches[1] / plain[1]:.1f} x in all")
    git = subprocess.run(["git", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    print(f"\nPython {platform.python_version()}, {git}, {os.cpu_count()} cores, {now()[:10]}")


def measure(clone: str, *options: str) -> tuple[float, float]:
    """Processor and elapsed seconds of one import."""
    with tempfile.TemporaryDirectory() as folder:
        db = str(Path(folder) / "cache.db")
        before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        command = [sys.executable, "-c", IMPORT, "import", "clone", clone, "--repo", "acme/app", "--db", db, *options]
        subprocess.run(command, check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return processor, time.monotonic() - started


if __name__ == "__main__":
    main()
