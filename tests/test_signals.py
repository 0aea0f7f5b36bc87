import difflib
import time
from textwrap import dedent

import pytest
from conftest import ROOT
from hypothesis import given
from hypothesis import strategies as st

from data.patches import FilePatch, rest_patch
from data.signals import KINDS, LONGEST_DETAIL, MOST_OF_A_KIND, signals
from data.signals.python import surface


def change(before, after, *, with_files=True):
    """The signals of turning some files (path -> text; None: not there) into others, as (kind, path, line, detail)."""
    texts = {}
    patches = []
    for path in sorted(before.keys() | after.keys()):
        old, new = dedent(before.get(path) or ""), dedent(after.get(path) or "")
        status = "added" if path not in before else "removed" if path not in after else "modified"
        patches.append(patch_of(path, status, old, new))
        if with_files:
            patches[-1].old_blob, patches[-1].new_blob = f"old {path}", f"new {path}"
            texts |= {f"old {path}": old, f"new {path}": new}
    found = signals(patches, texts.get if with_files else None)
    return [(each["kind"], each["path"], each["line"], each["detail"]) for each in found]


def patch_of(path, status, old, new) -> FilePatch:
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=3)
    return rest_patch(path, None, status, "\n".join(list(lines)[2:]))


def kinds(before, after, **more):
    return [kind for kind, *_ in change(before, after, **more)]


def edit(path, old, new, **more):
    return [(kind, detail) for kind, _, _, detail in change({path: old}, {path: new}, **more)]


# Markers


@pytest.mark.parametrize(
    ("path", "line", "marker"),
    [
        ("a.py", "x = 1  # TODO: more", "TODO"),
        ("a.py", "    TODO: tell what it does", "TODO"),
        ("a.rs", "    // FIXME(ada) leaks", "FIXME"),
        ("a.ts", " * HACK around the parser", "HACK"),
        ("a.go", "x := 1 // XXX: racy", "XXX"),
        ("a.sh", "# todo: quote", "todo"),
        ("a.sql", "-- TODO index", "TODO"),
        ("Makefile", "# workaround for an old make", "workaround"),
        ("a.sh", "make  # temporary fix", "temporary"),
        ("a.py", "# 待办：补上测试", "待办"),
        ("a.py", "# 临时方案", "临时方案"),
    ],
)
def test_a_marker_in_a_comment_is_told(path, line, marker):
    assert edit(path, "start\n", f"start\n{line}\n") == [("todo", marker)]


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("a.py", "todo = Todo('TODO')"),
        ("a.py", "x = '# TODO'"),
        ("a.py", "# a temporary file"),
        ("a.py", "# 临时文件"),
        ("a.py", "# mktemp /tmp/XXXXXX"),
        ("a.py", "color = x#TODO"),
        ("a.js", 'open("https://a.example/TODO")'),
        ("a.md", "TODO: write"),
        ("a.rs", "fn todo<'a>() { todo!() }"),
    ],
)
def test_what_only_looks_like_a_marker_is_not(path, line):
    assert edit(path, "start\n", f"start\n{line}\n") == []


def test_a_marker_that_is_moved_or_reworded_is_not_new():
    body = "\n".join(f"line_{n} = {n}" for n in range(20))
    assert kinds({"a.py": f"# TODO: x\n{body}\n", "b.py": "\n"}, {"a.py": f"{body}\n", "b.py": "# TODO: x\n"}) == []
    assert edit("a.py", "# TODO: x\n", "# TODO: x, and y\n") == []


def test_a_marker_that_stays_is_no_news():
    assert edit("a.py", "# TODO: all of them\nscore(a)\n", "# TODO: all of them\nscore(b)\n") == []


# Assertions


@pytest.mark.parametrize(
    ("path", "line", "told"),
    [
        ("a.py", 'assert len(x) == 1, "no"', "assert len(x) == 1, '…'"),
        ("a.py", "assert len(x) == (", "assert len(x) == ( …"),
        ("a.py", f"assert {'a_word + ' * 30}x", f"assert {'a_word + ' * 12}…"),
        ("a.py", "assert x and \\", "assert x and …"),
        ("a.py", f"assert x == {'y' * 200}", f"assert x == {'y' * 106} …"),
        ("a.c", "  assert(x > 0);", "assert(x > 0);"),
        ("A.java", "assert x != null;", "assert x != null;"),
        ("a.ts", 'assert(token === "hunter2");', "assert(token === '…');"),
        ("a.py", "assert token == f\"{'hunter2'}\", 'it is'", "assert token == f'…', '…'"),
        ("a.py", 'assert token == """hunter2', "assert token == '…'"),
        ("tests/a.rs", 'assert!(it.has(r#"a "hunter2" b"#));', "assert!(it.has('…'));"),
    ],
)
def test_a_hard_assertion_is_told_without_its_strings(path, line, told):
    assert edit(path, "start\n", f"start\n{line}\n") == [("assert", told)]


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("a.py", "assert that it works"),
        ("a.py", "assertion = 1"),
        ("a.rs", "x.unwrap();"),
        ("a.go", "assert.Equal(t, 1, x)"),
    ],
)
def test_what_is_no_hard_assertion_is_not(path, line):
    assert edit(path, "start\n", f"start\n{line}\n") == []


def test_an_assertion_of_rust_counts_before_the_tests_of_its_file_only():
    old = "fn a() {}\n\n#[cfg(test)]\nmod tests {\n    fn t() {}\n}\n"
    new = old.replace("fn a() {}", "fn a() {\n    assert!(x);\n}").replace(
        "fn t() {}", "fn t() {\n        assert!(y);\n    }"
    )
    assert edit("src/lib.rs", old, new) == [("assert", "assert!(x);")]
    assert edit("src/lib.rs", old, new, with_files=False) == []  # nobody can say where the tests begin


def test_an_assertion_that_goes_without_another_is_told():
    test = "def test_a():\n    x = f()\n    assert x\n    assert x.y == 1\n"
    assert edit("tests/test_a.py", test, test.replace("    assert x.y == 1\n", "")) == [
        ("assertion-removed", "assert x.y == 1")
    ]
    assert edit("tests/test_a.py", test, test.replace("x.y == 1", "x.y == 2")) == []


# Tests


def test_a_removed_test_is_told_once_and_not_its_assertions():
    test = "def test_a():\n    assert f()\n\n\ndef test_b():\n    assert g()\n"
    found = change({"tests/test_a.py": test}, {"tests/test_a.py": test.partition("\n\n\n")[0] + "\n"})
    assert found == [("test-removed", "tests/test_a.py", 5, "test_b")]


def test_a_test_that_is_moved_or_renamed_is_not_removed():
    test = "def test_a():\n    assert f()\n"
    assert "test-removed" not in kinds({"tests/test_a.py": test}, {"tests/test_b.py": test})
    assert edit("tests/test_a.py", test, test.replace("test_a", "test_better")) == []


def test_tests_of_other_languages_are_known_by_their_marks():
    rust = "#[test]\nfn wraps() {\n    let x = 1;\n}\n\nfn helper() {}\n"
    assert edit("src/a.rs", rust, "") == [("test-removed", "wraps")]
    text = 'fn outer() {\n    p.file(\n        r#"\n            #[test]\n            fn inner() {}\n        "#);\n'
    assert edit("tests/a.rs", text, "") == []
    java = "class A {\n  @Test\n  void wraps() {\n  }\n  void helper() {\n  }\n}\n"
    assert edit("src/test/ATest.java", java, "class A {\n}\n") == [("test-removed", "wraps")]
    assert edit("a.test.ts", "it('wraps round', () => {\n});\n", "x();\n") == [("test-removed", "wraps round")]
    assert edit("a_test.go", "func TestWraps(t *testing.T) {\n}\n", "x\n") == [("test-removed", "TestWraps")]


@pytest.mark.parametrize(
    ("path", "line", "told"),
    [
        ("tests/test_a.py", '@pytest.mark.skip(reason="flaky")', "@pytest.mark.skip"),
        ("tests/test_a.py", "@pytest.mark.skipif(no_gpu, reason='')", "@pytest.mark.skipif"),
        ("tests/test_a.py", "@unittest.expectedFailure", "@unittest.expectedFailure"),
        ("tests/a.rs", '#[ignore = "slow"]', "#[ignore"),
        ("tests/A.java", "@Disabled", "@Disabled"),
    ],
)
def test_a_test_that_is_skipped_from_now_on_is_told(path, line, told):
    test = {"py": "def test_a():\n    f()\n", "rs": "fn a() {}\n", "java": "void a() {}\n"}[path.rpartition(".")[2]]
    assert edit(path, test, f"{line}\n{test}") == [("test-skipped", told)]


def test_a_new_test_that_can_not_run_everywhere_is_not_skipped():
    new = "import pytest\n\n\n@pytest.mark.skipif(no_gpu)\ndef test_a():\n    f()\n"
    assert edit("tests/test_a.py", "import pytest\n", new) == []
    assert (
        kinds({}, {"tests/test_b.py": 'import pytest\nif not GPU:\n    pytest.skip("no", allow_module_level=True)\n'})
        == []
    )
    assert edit("tests/test_a.py", "import pytest\n", new.replace("skipif(no_gpu)", "skip")) == [
        ("test-skipped", "@pytest.mark.skip")
    ]


# Exceptions


@pytest.mark.parametrize(
    ("handler", "told"),
    [
        ("except:\n        log()", "except:"),
        ("except Exception:\n        pass", "except Exception: pass"),
        ("except Exception as error: pass", "except Exception: pass"),
        ("except (BaseException):\n        # never mind\n        continue", "except (BaseException): continue"),
    ],
)
def test_an_exception_that_is_swallowed_is_told(handler, told):
    new = f"def f():\n    try:\n        g()\n    {handler}\n    h()\n"
    assert edit("a.py", "def f():\n    g()\n    h()\n", new) == [("bare-except", told)]


@pytest.mark.parametrize(
    "handler",
    [
        "except:\n        close()\n        raise",
        "except ImportError:\n        pass",
        "except Exception:\n        log()",
        "except Exception as error:\n        raise Other from error",
    ],
)
def test_an_exception_that_is_dealt_with_is_not(handler):
    new = f"def f():\n    try:\n        g()\n    {handler}\n    h()\n"
    assert edit("a.py", "def f():\n    g()\n    h()\n", new) == []


def test_an_empty_catch_is_told():
    assert edit("a.ts", "a()\n", "try {\n  a()\n} catch (e) {\n}\n") == [("bare-except", "catch {}")]
    assert edit("a.ts", "a()\n", "a().catch(() => {})\n") == [("bare-except", ".catch(() => {})")]
    assert edit("A.java", "a();\n", "try { a(); }\ncatch (Exception e) {}\n") == [("bare-except", "catch {}")]
    assert edit("A.java", "a();\n", "try { a(); }\ncatch (IOException e) {}\n") == []
    assert edit("a.ts", "a()\n", "try {\n  a()\n} catch (e) {\n  log(e)\n}\n") == []


OLD_CALL = """\
    async def call(self):
        try:
            tool = self.find()
            return await tool.run()
        except Exception as error:
            log(error)
            return None
        finally:
            if tool:
                await tool.release()
    """


def test_work_that_may_raise_in_finally_is_told_where_it_comes():
    before = OLD_CALL.partition("        finally")[0]
    assert edit("a.py", before, OLD_CALL) == [("raise-in-finally", "await tool.release")]
    assert edit("a.py", "f()\n", "try:\n    f()\nfinally:\n    return 1\n") == [("raise-in-finally", "return")]
    assert edit("a.ts", "f()\n", "try {\n  f()\n} finally {\n  await g()\n}\n") == [("raise-in-finally", "await g")]


def test_work_in_finally_is_told_again_where_the_handlers_are_rewritten():
    assert edit("a.py", OLD_CALL, OLD_CALL.replace("return None", "return error")) == [
        ("raise-in-finally", "await tool.release")
    ]
    assert edit("a.py", OLD_CALL, OLD_CALL.replace("self.find()", "self.find(1)")) == []


@pytest.mark.parametrize(
    "line",
    ["lock.release()", "await session.close()", "await gather(a, return_exceptions=True)", "try:\n        await g()"],
)
def test_cleaning_up_in_finally_is_not_told(line):
    assert edit("a.py", "f()\n", f"try:\n    f()\nfinally:\n    {line}\n") == []


# Public names


CHANGED, REMOVED = "signature-changed", "name-removed"


def test_what_a_python_file_offers_no_longer_is_told():
    engine = "class Engine:\n    speed: int = 1\n\n    def run(self): ...\n\n    def _stop(self): ...\n\n"
    old = f"LIMIT = 1\n_own = 2\n\n{engine}def go(): ...\n"
    assert edit("app/a.py", old, "class Engine:\n    pass\n") == [
        ("name-removed", "LIMIT"),
        ("name-removed", "Engine.speed"),
        ("name-removed", "Engine.run"),
        ("name-removed", "go"),
    ]


def test_of_a_removed_class_only_the_class_is_told():
    old = "class Engine:\n    def run(self): ...\n"
    assert edit("app/a.py", old, "\n") == [("name-removed", "Engine")]
    assert change({"app/a.py": old}, {}) == [("name-removed", "app/a.py", 1, "Engine")]


def test_a_name_that_moved_or_is_imported_back_is_not_removed():
    old = "def go():\n    return 1\n\n\ndef stay(): ...\n"
    assert kinds({"app/a.py": old}, {"app/a.py": "def stay(): ...\n", "app/b.py": "def go():\n    return 1\n"}) == []
    assert edit("app/a.py", old, "from app.c import (\n    go,\n)\n\n\ndef stay(): ...\n") == []


@pytest.mark.parametrize("path", ["tests/helpers.py", "app/_own.py", "setup.py", "app/_own/a.py"])
def test_what_nobody_imports_is_not_public(path):
    assert edit(path, "def go(): ...\n", "\n") == []


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("f(a)", "f(a, b)", "f(a) -> (a, b)"),
        ("f(a, b)", "f(b, a)", "f(a, b) -> (b, a)"),
        ("f(a, b=1)", "f(a)", "f(a, b=) -> (a)"),
        ("f(a, b=1)", "f(a, b)", "f(a, b=) -> (a, b)"),
        ("f(a, b=1)", "f(a, *, b=1)", "f(a, b=) -> (a, *, b=)"),
        ("f(*, a=1)", "f(*, b=1)", "f(*, a=) -> (*, b=)"),
        ("f(a, **more)", "f(a)", "f(a, **kwargs) -> (a)"),
        ("f(a)", "f(a, /)", "f(a) -> (a, /)"),
        ("f()", "async f()", "f() -> () async"),
    ],
)
def test_a_signature_that_breaks_a_call_is_told(old, new, told):
    def define(what):
        return f"{'async ' if 'async' in what else ''}def {what.removeprefix('async ')}:\n    pass\n"

    for with_files in (True, False):
        assert edit("app/a.py", define(old), define(new), with_files=with_files) == [(CHANGED, told)]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("f(a)", "f(a, b=1)"),
        ("f(a)", "f(a, *, b=1)"),
        ("f(a)", "f(a, *more, **others)"),
        ("f(a)", "f(a: int) -> str"),
        ("f(a, /)", "f(b, /)"),
        ("f(a)", "f(a=1)"),
        ("f(*, a, b)", "f(*, b, a)"),
        ("_f(a)", "_f(b)"),
    ],
)
def test_a_signature_that_only_takes_more_is_not(old, new):
    assert edit("app/a.py", f"def {old}:\n    pass\n", f"def {new}:\n    pass\n") == []


def test_a_parameter_on_a_line_of_its_own_far_below_its_function_counts():
    parameters = "".join(f"    p{n}: int,\n" for n in range(9))
    old = f"class Engine:\n  def __init__(\n    self,\n{parameters}    last: int,\n  ): ...\n"
    assert [kind for kind, _ in edit("app/a.py", old, old.replace("last", "final"))] == ["signature-changed"]


def test_a_default_that_is_another_is_told_without_its_value():
    old = "class Config:\n    key: str = 'a'\n\n    def run(self, times=1, _own=1): ...\n"
    new = old.replace("'a'", "'secret'").replace("times=1, _own=1", "times=2, _own=2")
    assert edit("app/a.py", old, new) == [("default-changed", "Config.key"), ("default-changed", "Config.run(times)")]


@pytest.mark.parametrize(
    ("path", "old", "new", "told"),
    [
        ("a.ts", "export function go(a: A) {\n", "export function go(a: B) {\n", (CHANGED, "go(a: A) -> (a: B)")),
        ("a.ts", "export function go(a: string) {\n", "export function go(a: string, b?: number) {\n", None),
        ("a.ts", "export const go = 1\n", "const go = 1\n", (REMOVED, "go")),
        ("a.go", "func (e *E) Run(a int) {\n", "func (e *E) Run(b string) {\n", (CHANGED, "Run(a int) -> (b string)")),
        ("a.go", "func Run() {\n", "func run() {\n", (REMOVED, "Run")),
        ("internal/a.go", "func Run() {\n", "func run() {\n", None),
        ("src/a.rs", "pub fn go(a: &str) {\n", "pub fn go(a: &Path) {\n", (CHANGED, "go(&str) -> (&Path)")),
        ("src/a.rs", "pub fn go(a: &Unit) {\n", "pub fn go(b: &core::Unit<'_>) {\n", None),
        ("src/a.rs", "pub struct Go {\n", "pub(crate) struct Go {\n", (REMOVED, "Go")),
        ("src/main.rs", "pub struct Go {\n", "struct Go {\n", None),
        ("A.java", "  public void go(int a) {\n", "  public void go(long a) {\n", (CHANGED, "go(int a) -> (long a)")),
        ("A.java", "  public static final class Go {\n", "  static final class Go {\n", (REMOVED, "Go")),
    ],
)  # fmt: skip
def test_other_languages_are_read_by_pattern(path, old, new, told):
    assert edit(path, old, new) == ([told] if told else [])


def test_a_name_that_several_things_bear_is_left_out():
    old = "impl A {\n    pub fn new(a: u8) {}\n}\nimpl B {\n    pub fn new(b: u8) {}\n}\n"
    assert edit("src/a.rs", old, old.replace("new(b: u8)", "new(b: u16)")) == []


def test_functions_are_read_past_what_they_do():
    text = '''
        def go(
            a,  # (
            b="):",
        ):
            """def in_text(): ..."""
            def inner(): ...
        # def in_comment(): ...
            x = """
        def at_the_edge(): ...
        """
        class Engine:
            """Text
        def in_a_text(): ...
            """
            def run(self): return 1
            async def stop(self, *, hard=False):
                pass
        def last(): ...
        '''
    names = surface(dedent(text)).names
    assert [(name, each.line) for name, each in names.items()] == [
        ("go", 2), ("Engine", 12), ("Engine.run", 16), ("Engine.stop", 17), ("last", 19)
    ]  # fmt: skip
    assert str(names["go"].signature) == "(a, b=)"


def test_a_file_that_is_no_python_of_today_is_read_by_pattern():
    assert edit("app/a.py", "def go(a):\n    print 1\n", "def went(a):\n    print 1\n") == [("name-removed", "go")]


# Configuration and versions


YAML = """\
server:
  # where
  port: 1
  hosts:
    - a
    - b
  run: |
    port: 2
names: {a: 1}
"""
JSON = '{\n  "a": {\n    "b": 1\n  }\n}\n'


@pytest.mark.parametrize(
    ("path", "old", "new", "told"),
    [
        ("conf/a.yaml", YAML, YAML.replace("port: 1", "port: 9"), ("config-key-changed", "server.port")),
        ("conf/a.yaml", YAML, YAML.replace("port: 1", "port: 1  # why"), None),
        ("conf/a.yaml", YAML, YAML.replace("- b", "- c"), ("config-key-changed", "server.hosts")),
        ("conf/a.yaml", YAML, YAML.replace("port: 2", "port: 3"), ("config-key-changed", "server.run")),
        ("conf/a.yaml", YAML, YAML + "more:\n  deep: 1\n", ("config-key-added", "more.deep")),
        ("conf/a.yaml", YAML, YAML.replace("names: {a: 1}\n", ""), ("config-key-removed", "names")),
        ("conf/a.yaml", YAML, YAML + "---\nport: 1\n", None),
        ("conf/a.toml", "[a.b]\nc = 1\n", "[a.b]\nc = 2\n", ("config-key-changed", "a.b.c")),
        ("conf/a.toml", "[a]\nc = [\n  1,\n]\n", "[a]\nc = [\n  2,\n]\n", ("config-key-changed", "a.c")),
        ("conf/a.toml", "[[a]]\nc = 1\n", "[[a]]\nc = 2\n", None),
        ("app.ini", "[a]\nc = 1\n", "[a]\nd = 1\n", None),
        ("conf/a.json", JSON, JSON.replace("1", "2"), ("config-key-changed", "a.b")),
        ("cats.json", '{\n  "a": 1\n}\n', '{\n  "a": 2\n}\n', None),
        (".github/workflows/a.yml", "a: 1\n", "a: 2\n", None),
        ("tests/a.yaml", "a: 1\n", "a: 2\n", None),
    ],
)  # fmt: skip
def test_keys_of_configuration_are_told_by_their_path(path, old, new, told):
    if path == "app.ini":
        assert edit(path, old, new) == [("config-key-added", "a.d"), ("config-key-removed", "a.c")]
    else:
        assert edit(path, old, new) == ([told] if told else [])


def test_without_the_file_a_key_is_told_only_where_its_path_is_in_sight():
    deep = "a:\n" + "".join(f"  k{n}: 1\n" for n in range(9))
    assert edit("conf/a.yaml", deep, deep.replace("k8: 1", "k8: 2"), with_files=False) == []
    assert edit("conf/a.yaml", deep, deep.replace("k1: 1", "k1: 2"), with_files=False) == [
        ("config-key-changed", "a.k1")
    ]


def test_a_file_with_very_many_changed_keys_is_data():
    assert edit("conf/a.yaml", "a: 1\n", "".join(f"k{n}: 1\n" for n in range(100))) == []


@pytest.mark.parametrize(
    ("path", "old", "new", "told"),
    [
        ("requirements.txt", "numpy==1.2  # why", "numpy==1.3", "numpy ==1.2 -> ==1.3"),
        ("requirements/dev.txt", "numpy[x]>=1,<2", "numpy[x]>=1,<3", "numpy >=1,<2 -> >=1,<3"),
        ("pyproject.toml", '    "numpy>=1.2",', '    "numpy>=1.3",', "numpy >=1.2 -> >=1.3"),
        ("pyproject.toml", 'numpy = "^1.2"', 'numpy = "^1.3"', "numpy ^1.2 -> ^1.3"),
        ("Cargo.toml", 'serde = { version = "1.0", features = [] }', 'serde = { version = "1.1" }', "serde 1.0 -> 1.1"),
        ("Cargo.toml", 'version = "1.0"', 'version = "1.1"', None),
        ("web/package.json", '    "@a/b": "^1.2.3",', '    "@a/b": "^2.0.0",', "@a/b ^1.2.3 -> ^2.0.0"),
        ("go.mod", "\tgithub.com/a/b v1.2.3", "\tgithub.com/a/b v1.3.0 // indirect", "github.com/a/b v1.2.3 -> v1.3.0"),
        ("Dockerfile", "FROM python:3.11 AS base", "FROM python:3.12 AS base", "python 3.11 -> 3.12"),
        (".github/workflows/ci.yml", "  - uses: a/b@v3", "  - uses: a/b@v4", "a/b v3 -> v4"),
        (".github/workflows/ci.yml", "  - uses: a/b@11 # v3.1", "  - uses: a/b@22 # v4.0", "a/b v3.1 -> v4.0"),
        ("README.md", "numpy==1.2", "numpy==1.3", None),
        ("requirements.txt", "# numpy==1.2", "# numpy==1.3", None),
    ],
)
def test_a_version_that_moves_is_told_with_both(path, old, new, told):
    assert edit(path, f"{old}\n", f"{new}\n") == ([("version-moved", told)] if told else [])


# All of them


def test_what_is_told_is_cut_short_and_no_file_tells_too_much():
    found = change({"a.py": "\n"}, {"a.py": "".join(f"assert {'x' * n}{n}\n" for n in range(100, 200))})
    assert len(found) == MOST_OF_A_KIND
    assert max(len(detail) for *_, detail in found) == LONGEST_DETAIL


def test_the_line_is_of_the_file_as_it_is_or_of_what_went_as_it_was():
    found = change({"app/a.py": "def go(): ...\n"}, {"app/a.py": "x = 1\ny = 2\n# TODO\n"})
    assert found == [("name-removed", "app/a.py", 1, "go"), ("todo", "app/a.py", 3, "TODO")]


@pytest.mark.parametrize("path", ["a.py", "tests/test_a.py", "a.rs", "a.ts", "a.yaml", "requirements.txt"])
def test_the_time_it_takes_grows_with_the_lines_and_no_faster(path):
    lines = ["# TODO", "#[test]", "fn a() {", "def test_a(b: int,", "pub fn a(b: u8", "try:", "except:", "finally:"]
    lines += [
        "    @pytest.mark.skipif(x)",
        "  pytest.skip()",
        "export function a(",
        "a: 1",
        "- b",
        "numpy==1",
        "'" * 50,
        " ",
    ]

    def seconds(times):
        text = "".join(f"{sign}{line}\n" for sign in " +-" for line in lines for _ in range(times))
        started = time.process_time()
        signals([rest_patch(path, None, "modified", f"@@ -1,1 +1,1 @@\n{text}")])
        return time.process_time() - started

    seconds(20)
    assert seconds(800) < 24 * max(seconds(100), 0.02)


TEXT = st.lists(
    st.sampled_from(
        [
            "# TODO",
            "assert x",
            "def go(a):",
            "def test_a():",
            "    pass",
            "try:",
            "except:",
            "finally:",
            "    return",
            "class A:",
            "x = 1",
            "",
            '"""',
        ]
    ),
    max_size=15,
).map("\n".join)


@given(st.dictionaries(st.sampled_from(["a.py", "tests/test_a.py", "b.rs", "c.yaml"]), st.tuples(TEXT, TEXT)))
def test_the_order_of_files_changes_nothing_and_undoing_nothing_tells_nothing(files):
    patches = [patch_of(path, "modified", *texts) for path, texts in files.items()]
    found = signals(patches)
    assert signals(patches[::-1]) == found
    assert found == sorted(found, key=lambda each: (each["path"], each["line"], each["kind"], each["detail"]))
    assert {each["kind"] for each in found} <= set(KINDS)
    assert signals([patch_of(path, "modified", new, new) for path, (_, new) in files.items()]) == []


def test_the_documentation_names_every_kind():
    page = (ROOT / "docs" / "cache.md").read_text(encoding="utf-8")
    assert not [kind for kind in KINDS if f"`{kind}`" not in page]
