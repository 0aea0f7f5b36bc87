"""What the bots of the invented repository send: version bumps, image updates, translations, releases."""

from random import Random

from data.demo.changes import Change, file_record, summed
from data.demo.plan import Plan
from data.demo.team import COPILOT, DEPENDABOT, RELEASER, RENOVATE
from data.demo.tree import Tree
from data.records import FileRecord

PACKAGES = {  # where they are pinned, and the versions at the beginning
    "": "httpx 0.27.0|pydantic 2.9.1|sqlalchemy 2.0.34|fastapi 0.115.0|uvicorn 0.30.6|numpy 2.1.1|orjson 3.10.7|"
    "structlog 24.4.0|typer 0.12.5|alembic 1.13.2|pytest 8.3.2|ruff 0.6.4|mypy 1.11.2|skyfield 1.49.0|redis 5.0.8",
    "console": "vite 5.4.3|react 18.3.1|typescript 5.5.4|eslint 9.9.1|vitest 2.0.5|d3-scale 4.0.2|zustand 4.5.5|"
    "@tanstack/react-query 5.54.1|@types/node 22.5.4",
    "agent": "google.golang.org/grpc 1.66.0|go.uber.org/zap 1.27.0|github.com/spf13/cobra 1.8.1|"
    "golang.org/x/sys 0.25.0",
}
MANIFESTS = {
    "": ("pyproject.toml", "uv.lock"),
    "console": ("console/package.json", "console/package-lock.json"),
    "agent": ("agent/go.mod", "agent/go.sum"),
}
ECOSYSTEM = {"": "pip", "console": "npm_and_yarn", "agent": "go_modules"}
ACTIONS = "actions/checkout actions/setup-python actions/cache docker/build-push-action astral-sh/setup-uv".split()
VERSIONED = (  # where the version of the product stands
    "orbit/__init__.py",
    "pyproject.toml",
    "uv.lock",
    "console/package.json",
    "deploy/helm/orbit/Chart.yaml",
)
WORKFLOWS = tuple(
    f".github/workflows/{name}.yml" for name in ("test", "lint", "nightly", "release", "images", "console")
)
IMAGES = {"python": "3.12", "postgres": "17", "node": "22", "golang": "1.23", "redis": "7"}
DEPENDABOT_HELP = """
---

You can trigger a rebase of this PR by commenting `@dependabot rebase`.

<details>
<summary>Dependabot commands and options</summary>
<br />

- `@dependabot rebase` will rebase this PR
- `@dependabot recreate` will recreate this PR
- `@dependabot ignore this major version` will close this PR and stop further updates to this major version
</details>"""


class Bots:
    """The bots, who remember which versions they have proposed."""

    def __init__(self, rng: Random, tree: Tree) -> None:
        self.rng, self.tree = rng, tree
        self.versions = {
            (folder, name): [int(part) for part in version.split(".")]
            for folder, packages in PACKAGES.items()
            for name, _, version in (entry.partition(" ") for entry in packages.split("|"))
        }
        self._names = list(self.versions)
        self._actions = {name: [4, 0] for name in ACTIONS}
        self._images = dict.fromkeys(IMAGES, 0)

    def plan(self) -> Plan:
        """Some bot's next pull request."""
        roll = self.rng.random()
        if roll < 0.62:
            return self.bump(*self.rng.choice(self._names))
        if roll < 0.72:
            return self._group()
        if roll < 0.86:
            return self._update()
        return self._translations() if roll < 0.93 else self._regenerated()

    def bump(self, folder: str, name: str, how: str | None = None) -> Plan:
        """Dependabot moves one package to a later version; `how` is its fate, else left to chance."""
        old = ".".join(map(str, self.versions[folder, name]))
        new = self.next_version(folder, name)
        scope = "deps-dev" if name in {"pytest", "ruff", "mypy", "eslint", "vitest", "@types/node"} else "deps"
        where = f" in /{folder}" if folder else ""
        body = f"Bumps {name} from {old} to {new}.\n\n<details>\n<summary>Release notes</summary>\n\n"
        body += f"- {new}: bug fixes and documentation\n</details>\n{DEPENDABOT_HELP}"
        slug = name.rpartition("/")[2]
        return Plan(
            author=DEPENDABOT,
            area="ci",
            change=self._manifests(folder, 1),
            title=f"build({scope}): bump {name} from {old} to {new}{where}",
            body=body,
            how=how or self._how(),
            head=f"dependabot/{ECOSYSTEM[folder]}/{folder + '/' if folder else ''}{slug}-{new}",
            labels=["dependencies"],
        )

    def next_version(self, folder: str, name: str) -> str:
        """Moves a package on by a patch, more seldom a minor, and tells the new version."""
        version = self.versions[folder, name]
        if self.rng.random() < 0.65:
            version[2] += self.rng.randint(1, 2)
        else:
            version[1:] = [version[1] + 1, 0]
        return ".".join(map(str, version))

    def release(self, version: str) -> Plan:
        """The release pull request: changelog and version numbers."""
        files = {path: file_record(path, "modified", 1, 1) for path in VERSIONED}
        files["CHANGELOG.md"] = file_record("CHANGELOG.md", "modified", self.rng.randrange(18, 70), 1)
        return Plan(
            author=RELEASER,
            area="ci",
            change=summed(self.tree, files),
            title=f"chore(release): {version}",
            body=f"Release {version}. Merging this tags `v{version}` and publishes wheels, images and the chart.",
            how="usual",
            head=f"release-please--{version}",
            labels=["release"],
        )

    def _group(self) -> Plan:
        folder = self.rng.choice(("", "console", "console"))
        names = self.rng.sample([key for key in self._names if key[0] == folder], self.rng.randint(2, 5))
        rows = []
        for key in names:
            old = ".".join(map(str, self.versions[key]))
            rows.append(f"| {key[1]} | {old} | {self.next_version(*key)} |")
        group = {"": "python-minor", "console": "npm-minor"}[folder]
        table = "\n".join(["| Package | From | To |", "| --- | --- | --- |", *rows])
        where = f" in /{folder}" if folder else ""
        return Plan(
            author=DEPENDABOT,
            area="ci",
            change=self._manifests(folder, len(names)),
            title=f"build(deps): bump the {group} group{where} with {len(names)} updates",
            body=f"Bumps the {group} group with {len(names)} updates:\n\n{table}\n{DEPENDABOT_HELP}",
            how=self._how(),
            head=f"dependabot/{ECOSYSTEM[folder]}/{group}-{self.rng.getrandbits(40):010x}",
            labels=["dependencies"],
        )

    def _update(self) -> Plan:
        """Renovate: actions and base images."""
        if self.rng.random() < 0.6:
            name, paths = self.rng.choice(ACTIONS), self.rng.sample(WORKFLOWS, self.rng.randint(1, 5))
            major, minor = self._actions[name]
            self._actions[name] = [major, minor + 1] if self.rng.random() < 0.8 else [major + 1, 0]
            title = f"chore(deps): update {name} action to v{'.'.join(map(str, self._actions[name]))}"
        else:
            name = self.rng.choice(list(IMAGES))
            self._images[name] += self.rng.randint(1, 2)
            paths = ["deploy/compose.yaml" if name in {"postgres", "redis"} else "deploy/docker/Dockerfile"]
            title = f"chore(deps): update {name} docker tag to v{IMAGES[name]}.{self._images[name]}"
        return Plan(
            author=RENOVATE,
            area="ci",
            change=summed(self.tree, {path: file_record(path, "modified", 1, 1) for path in paths}),
            title=title,
            body="This PR contains the updates named in its title.\n\n---\n\n### Configuration\n\n"
            "**Schedule**: at any time. **Automerge**: enabled. **Rebasing**: whenever the PR becomes conflicted.\n\n"
            "- [ ] If you want to rebase/retry this PR, check this box",
            how="automatic" if self.rng.random() < 0.75 else "usual",
            head=f"renovate/{name.replace('/', '-')}",
            labels=["dependencies"],
        )

    def _translations(self) -> Plan:
        changed = self.rng.randrange(2, 40)
        path = "console/src/i18n/zh.json"
        return Plan(
            author=RELEASER,
            area="console",
            change=summed(self.tree, {path: file_record(path, "modified", changed, self.rng.randint(0, changed // 2))}),
            title="chore(i18n): pull translations",
            body=f"{changed} strings updated by translators.",
            how="automatic" if self.rng.random() < 0.6 else "usual",
            head=f"i18n/{self.rng.getrandbits(28):07x}",
            labels=["i18n"],
        )

    def _regenerated(self) -> Plan:
        paths = ("api/openapi.json", "console/src/api/client.gen.ts", "orbit/api/orbit_pb2.py")
        files: dict[str, FileRecord] = {}
        for path in paths[: self.rng.randint(1, 3)]:
            lines = self.rng.randrange(20, 700)
            deleted = min(self.rng.randint(5, lines), self.tree.lines[path] - 1)
            files[path] = file_record(path, "modified", lines, deleted)
        return Plan(
            author=RELEASER if self.rng.random() < 0.5 else COPILOT,
            area="api",
            change=summed(self.tree, files),
            title="chore(api): regenerate clients from the schema",
            body="Generated by `make generate`; no hand-written code changed.",
            how="usual",
            head=f"generate/{self.rng.getrandbits(28):07x}",
            labels=["generated"],
        )

    def _manifests(self, folder: str, packages: int) -> Change:
        manifest, lock = MANIFESTS[folder]
        changed = {manifest: packages, lock: min(packages * self.rng.randrange(4, 60), self.tree.lines[lock] - 1)}
        files = {path: file_record(path, "modified", lines, lines) for path, lines in changed.items()}
        return summed(self.tree, files)

    def _how(self) -> str:
        """Most bumps merge themselves; some are looked at, and a few closed because a later one overtakes them."""
        roll = self.rng.random()
        return "automatic" if roll < 0.55 else "usual" if roll < 0.92 else "abandoned"
