"""Tool patterns: the grader's flavour, what is refused, and what a slow pattern may cost."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz import pattern_pool, patterns
from loopviz.pattern_pool import Broken, Pool, TooSlow
from loopviz.patterns import PatternError, PatternTimeout, compile_check, matching, notes

SLOW = "(a+)+$"
SLOW_NAME = "a" * 40 + "!"


@pytest.fixture
def pool() -> Iterator[Pool]:
    pool = Pool()
    yield pool
    pool.close()


@pytest.fixture(autouse=True)
def _forget_timeouts() -> None:
    patterns._stopped_s.clear()


@pytest.mark.parametrize(
    ("pattern", "name", "found"),
    [
        pytest.param("^bash$", "bash\n", False, id="the end is the very end"),
        pytest.param("bash", "Bash", False, id="case counts"),
        pytest.param("a", "", False, id="an empty name"),
        pytest.param(r"^\d$", "\u0663", False, id="digits are ASCII"),
        pytest.param(r"^\w$", "\u00e9", False, id="word characters are ASCII"),
        pytest.param(r"^\s$", "\u001c", False, id="a separator is no white space"),
        pytest.param("^.$", "\r", False, id="the dot takes no carriage return"),
        pytest.param("^.$", "\u2028", False, id="the dot takes no line separator"),
        pytest.param("[]", "x", False, id="an empty class matches nothing"),
        pytest.param("^(?!bash$)", "bash", False, id="all but one tool"),
        pytest.param("bash", "run_bash_now", True, id="found anywhere"),
        pytest.param("^b", "bash", True, id="at the start"),
        pytest.param(r"^\s$", "\ufeff", True, id="a byte order mark is white space"),
        pytest.param("(?<n>ba)sh", "bash", True, id="a named group"),
        pytest.param(r"(?<n>a)\k<n>", "aa", True, id="a named reference"),
        pytest.param("(?i)bash", "BASH", True, id="leading flags"),
        pytest.param("(?ims)^b.s", "x\nB\nS", True, id="all three flags"),
        pytest.param("(?i:bash)", "BASH", True, id="flags for a group"),
        pytest.param(r"\Z", "Z", True, id="a letter, no anchor"),
        pytest.param("(?<=a+)b", "aab", True, id="look-behind of any length"),
        pytest.param("a{,2}", "a{,2}", True, id="a brace that counts nothing"),
        pytest.param("^[^]$", "\n", True, id="a class of everything"),
        pytest.param(r"^\p{L}$", "p{L}", True, id="properties need another flag"),
        pytest.param(r"^(a)?\1b$", "b", True, id="a group that took no part"),
        pytest.param("^.$", "\U0001f600", True, id="the dot takes a whole emoji"),
        pytest.param("^.*$", "", True, id="an empty name and a pattern of nothing"),
        pytest.param("\u062d", "\u0645\u0631\u062d\u0628\u0627", True, id="right to left"),
        pytest.param("^.$", "\ud800", True, id="half a character"),
        pytest.param("\udc00", "\udc00", True, id="half a character on both sides"),
        pytest.param("(?i) ", "a b", True, id="white space behind flags"),
    ],
)
def test_patterns_mean_what_they_mean_to_the_grader(pattern: str, name: str, found: bool) -> None:
    assert matching([name], [pattern]) == (found,)


@pytest.mark.parametrize(
    ("pattern", "rule"),
    [
        pytest.param("", "empty or only white space", id="empty"),
        pytest.param(" \t\n", "empty or only white space", id="white space"),
        pytest.param("\u00a0\ufeff\u2003", "empty or only white space", id="white space of every kind"),
        pytest.param("(?:)", "more than an empty expression", id="an empty group"),
        pytest.param("(?i)", "more than an empty expression", id="flags alone"),
        pytest.param("(?ims)(?:)", "more than an empty expression", id="flags and an empty group"),
        pytest.param("(", "must compile", id="a group left open"),
        pytest.param("(?P<n>bash)", "must compile", id="Python's named group"),
        pytest.param("a(?i)b", "must compile", id="flags in the middle"),
        pytest.param("(?i)(?m)b", "must compile", id="a second group of flags"),
        pytest.param("(?x)b", "must compile", id="a flag there is not"),
        pytest.param("a++", "must compile", id="possessive"),
        pytest.param("(?>a)", "must compile", id="atomic"),
        pytest.param("(" * 200_000 + ")" * 200_000, "must compile", id="nested beyond reason"),
        pytest.param("|x" * 500_000, "too large or too deeply nested", id="more than the engine can hold"),
    ],
)
def test_refuses(pattern: str, rule: str) -> None:
    with pytest.raises(PatternError, match=rule):
        compile_check(pattern)
    assert matching(["bash"], ["bash"]) == (True,)


@pytest.mark.parametrize(
    ("names", "given", "expected"),
    [
        pytest.param([], ["a"], (), id="no names"),
        pytest.param(["a", "b"], [], (False, False), id="no patterns"),
        pytest.param(["read", "bash", "grep"], ["^b", "p$"], (False, True, True), id="any of them"),
        pytest.param(["a", "a"], ["a"], (True, True), id="a name twice"),
    ],
)
def test_matching_asks_for_any_pattern(names: list[str], given: list[str], expected: tuple[bool, ...]) -> None:
    assert matching(names, given) == expected


@pytest.mark.parametrize("pattern", ["bash", "^$", r"\d", "^[^q]*$", "^(?!check_status$)", r"^\w+$", "^.$", SLOW])
def test_no_note_on_a_pattern_that_leaves_tools_out(pattern: str) -> None:
    assert notes([pattern]) == ()


@pytest.mark.parametrize("pattern", [".*", "^", "$", "()", "a*", "|b", "(?s).", "x?", "[^]"])
def test_notes_on_patterns_that_match_everything(pattern: str) -> None:
    assert notes(["bash", pattern]) == (f"The pattern {pattern} matches every tool.",)


@given(st.text(max_size=12), st.text(max_size=12))
def test_any_text_is_matched_or_refused(pattern: str, name: str) -> None:
    def outcome() -> object:
        try:
            return len(matching([name], [pattern]))
        except PatternError as error:
            return str(error).isprintable()

    assert outcome() in (1, True)


def test_a_pattern_that_runs_for_ever_is_refused_within_about_a_second() -> None:
    before_s = time.monotonic()
    with pytest.raises(PatternTimeout, match="within 1 second"):
        matching([SLOW_NAME], [SLOW])
    assert time.monotonic() - before_s < 2.5


def test_the_refusal_is_remembered_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PatternTimeout):
        matching([SLOW_NAME], [SLOW])
    monkeypatch.setattr(patterns, "_ask", lambda *_: pytest.fail("asked again"))
    with pytest.raises(PatternTimeout):
        matching([SLOW_NAME], [SLOW])


def test_and_then_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "REFUSAL_LIFE_S", -1.0)
    monkeypatch.setattr(pattern_pool, "TIME_LIMIT_S", 0.2)
    with pytest.raises(PatternTimeout):
        matching([SLOW_NAME], [SLOW])
    monkeypatch.setattr(patterns, "_ask", lambda *_: (True,))
    assert matching([SLOW_NAME], [SLOW]) == (True,)


def test_the_same_pattern_is_no_trouble_on_other_names() -> None:
    with pytest.raises(PatternTimeout):
        matching([SLOW_NAME], [SLOW])
    assert matching(["aaa"], [SLOW]) == (True,)


def test_others_are_answered_while_a_slow_pattern_runs(pool: Pool) -> None:
    started = threading.Event()

    def slow() -> float:
        started.set()
        with pytest.raises(TooSlow):
            pool.run(SLOW, "", [SLOW_NAME])
        return time.monotonic()

    with ThreadPoolExecutor() as threads:
        stopped = threads.submit(slow)
        started.wait()
        for n in range(20):
            assert pool.run(f"^tool_{n}$", "", [f"tool_{n}"]) == {"matches": [True]}
        answered_s = time.monotonic()
        assert answered_s < stopped.result()


def test_every_thread_gets_its_own_answer(pool: Pool) -> None:
    def ask(n: int) -> bool:
        names = [f"tool_{k}" for k in range(30)]
        answer = pool.run(f"^tool_{n % 30}$", "", names)
        return answer["matches"] == [k == n % 30 for k in range(30)]

    with ThreadPoolExecutor(max_workers=12) as threads:
        assert all(threads.map(ask, range(300)))
    assert 1 <= len(pool._idle) <= pattern_pool.WORKERS


def test_a_worker_is_kept_for_the_next_request(pool: Pool) -> None:
    pool.run("a", "", [])
    first = pool._idle[0]._process.pid
    pool.run("b", "", [])
    assert [worker._process.pid for worker in pool._idle] == [first]


def test_a_stopped_worker_leaves_nothing_behind(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pattern_pool, "TIME_LIMIT_S", 0.2)
    pool.run("a", "", [])
    process = pool._idle[0]._process
    with pytest.raises(TooSlow):
        pool.run(SLOW, "", [SLOW_NAME])
    assert process.returncode is not None
    assert pool._idle == []
    assert pool.run("a", "", ["a"]) == {"matches": [True]}


def test_a_worker_that_died_while_it_waited_is_replaced(pool: Pool) -> None:
    pool.run("a", "", [])
    process = pool._idle[0]._process
    process.kill()
    process.wait()
    assert pool.run("a", "", ["a"]) == {"matches": [True]}


def test_a_pattern_that_breaks_the_engine_is_told_apart(pool: Pool) -> None:
    with pytest.raises(Broken):
        pool.run("|x" * 500_000, "", [])
    assert pool._idle == []


def test_a_worker_that_does_not_start_is_no_refusal(
    pool: Pool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(pattern_pool, "_engine_folder", lambda: str(tmp_path))
    with pytest.raises(RuntimeError, match="did not start"):
        pool.run("a", "", [])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_forked_child_has_workers_of_its_own() -> None:
    compile_check("parent")
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writer, str(len(pattern_pool.SHARED._idle)).encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(reader, 10) == b"0"
    assert len(pattern_pool.SHARED._idle) >= 1
    os.close(reader)
    os.close(writer)


IN_A_STRANGE_FOLDER = """
import os, sys
sys.path.insert(0, {package!r})
from loopviz import pattern_pool, patterns
assert patterns.matching(["bash"], ["^bash$"]) == (True,)
print(*(worker._process.pid for worker in pattern_pool.SHARED._idle), flush=True)
{then}
"""


@pytest.mark.parametrize("then", ["pass", "os._exit(0)", "os.kill(os.getpid(), 9)"], ids=["ends", "exits", "is killed"])
def test_workers_start_in_any_folder_and_end_with_their_parent(tmp_path: Path, then: str) -> None:
    for name in ("regress", "json", "signal", "resource", "encodings"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('the wrong module')")
    script = tmp_path / "folder"
    script.mkdir()
    (script / "main.py").write_text(
        IN_A_STRANGE_FOLDER.format(package=str(Path(patterns.__file__).parents[1]), then=then)
    )
    ran = subprocess.run([sys.executable, "folder/main.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.stderr == ""
    worker = int(ran.stdout)
    assert _ends(worker)


def _ends(pid: int, within_s: float = 10.0) -> bool:
    until_s = time.monotonic() + within_s
    while time.monotonic() < until_s:
        try:
            os.kill(pid, signal.SIGCONT if os.name == "posix" else 0)
            # A process that ended but was not yet reaped by the system still takes signals.
            if Path(f"/proc/{pid}/stat").exists() and Path(f"/proc/{pid}/stat").read_text().split()[2] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize(
    ("texts", "pattern", "found"),
    [
        pytest.param([], "a", [], id="no texts"),
        pytest.param(["bash", "read"], "a", [(1, 2), (2, 3)], id="the first match in each"),
        pytest.param(["é😀 code 7", "none"], r"code \d", [(3, 9), None], id="counted in characters"),
        pytest.param(["\ud800x"], "x", [(1, 2)], id="behind half a character"),
        pytest.param(["ABC"], "(?i)b", [(1, 2)], id="leading flags"),
        pytest.param(["x" * 200_000 + "y"] * 3, "y", [(200_000, 200_001)] * 3, id="more than one request holds"),
    ],
)
def test_spans_say_where_a_pattern_stands(texts: list[str], pattern: str, found: list[tuple[int, int] | None]) -> None:
    assert patterns.spans(texts, pattern) == found


def test_spans_are_refused_like_any_use_of_a_pattern() -> None:
    with pytest.raises(PatternError, match="must compile"):
        patterns.spans(["text"], "(")
    with pytest.raises(PatternTimeout, match="within 1 second"):
        patterns.spans([SLOW_NAME], SLOW)


def test_a_search_through_many_texts_ends_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "SEARCH_LIMIT_S", -1.0)
    with pytest.raises(PatternTimeout, match="must finish within -1 seconds"):
        patterns.spans(["text"], "t")
