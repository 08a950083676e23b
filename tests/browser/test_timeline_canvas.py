"""The canvas timeline on a bare page: what it does with pointer and keys, and what it tells."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from loopviz.timeline import script
from loopviz.timeline.contract import CycleState, Payload, decode
from loopviz.timeline.palette import PALETTES
from tests.browser.conftest import NewPage
from tests.timeline.pictures import looping, picture, verdict, words

BARE = """<!doctype html><meta charset="utf-8">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="timeline.css">
<style>
body { margin: 16px; min-height: 3000px }
html.dark { --st-background-color: #0E1117; background: #0E1117 }
</style>
<div id="root"></div>
<script type="module">
import { mount } from "./timeline.js";
window.told = [];
const tell = (what) => (value) => told.push([what, value]);
const hooks = Object.fromEntries(
  ["Select", "Stretch", "View", "Axis", "Action"].map((what) => ["on" + what, tell(what.toLowerCase())]));
const root = document.getElementById("root");
window.show = (payload) => { window.handle = mount(root, payload, { theme: "auto", ...hooks }) };
window.frames2 = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
window.ready = true;
</script>"""
STEP_LANE = "root.loopviz.state().lanes.steps"


class Assets(BaseHTTPRequestHandler):
    """The page, the script and the style sheet."""

    def do_GET(self) -> None:
        body, kind = {
            "/": (BARE, "text/html"),
            "/timeline.js": (script.module(), "text/javascript"),
            "/timeline.css": (script.css(), "text/css"),
        }[self.path]
        self.send_response(200)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, format: str, *args: object) -> None:
        """Silence."""


@contextmanager
def serving() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Assets)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving() as url:
        yield url


class Canvas:
    """A page with one timeline on it."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def show(self, payload: Payload) -> None:
        self.page.evaluate("async (payload) => { show(payload); await frames2() }", payload)

    def update(self, payload: Payload) -> None:
        self.page.evaluate("async (payload) => { handle.update(payload); await frames2() }", payload)

    @property
    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = self.page.evaluate("frames2().then(() => root.loopviz.state())")
        return found

    @property
    def view(self) -> tuple[int, int]:
        view = self.state["view"]
        return view["first"], view["last"]

    def told(self, what: str) -> list[Any]:
        return [value for kind, value in self.page.evaluate("told") if kind == what]

    def wait_for(self, condition: str) -> None:
        self.page.wait_for_function(condition)

    def place(self, call: int, y: str = STEP_LANE) -> tuple[float, float]:
        """Where a call stands on the screen, in the lane of steps unless `y` says otherwise."""
        x, height = self.page.evaluate(f"[root.loopviz.x({call}), {y}]")
        box = self.page.locator(".lv-over").bounding_box()
        assert box
        return box["x"] + x, box["y"] + height

    def click(self, call: int) -> None:
        self.page.mouse.click(*self.place(call))

    def drag(self, first: int, last: int) -> None:
        start, end = self.place(first), self.place(last)
        self.page.mouse.move(*start)
        self.page.mouse.down()
        self.page.mouse.move(*end, steps=5)
        self.page.mouse.up()

    def zoom(self, call: int, notches: int) -> None:
        """Turn the wheel over a call; towards it when positive."""
        self.page.mouse.move(*self.place(call))
        for _ in range(abs(notches)):
            before = self.state["view"]
            self.page.mouse.wheel(0, -120 if notches > 0 else 120)
            self.page.wait_for_function(
                "before => JSON.stringify(root.loopviz.state().view) !== JSON.stringify(before)", arg=before
            )

    def press(self, *keys: str) -> None:
        self.page.locator(".lv-stage").focus()
        for key in keys:
            self.page.keyboard.press(key)

    def colour(self, call: int, y: str) -> str:
        """The colour of the lanes' own canvas in a call's pixel column."""
        data = self.page.evaluate(
            f"""() => {{
                const canvas = root.querySelectorAll("canvas")[1];
                const ratio = canvas.width / canvas.clientWidth;
                const x = Math.floor(Math.floor(root.loopviz.x({call}) + 1e-6) * ratio);
                return Array.from(canvas.getContext("2d").getImageData(x, Math.round(({y}) * ratio), 1, 1).data);
            }}"""
        )
        return "#" + "".join(f"{value:02X}" for value in data[:3])


@pytest.fixture
def canvas(address: str, new_page: NewPage) -> Canvas:
    return opened(new_page(), address)


def opened(page: Page, address: str) -> Canvas:
    page.goto(address)
    page.wait_for_function("window.ready")
    return Canvas(page)


def test_nothing_is_told_on_mounting_updating_and_hovering(canvas: Canvas) -> None:
    canvas.show(looping(selected=3))
    canvas.update(looping(selected=3, limit=4))
    canvas.update(looping(selected=8, seq=1))
    canvas.page.mouse.move(*canvas.place(20))
    expect(canvas.page.locator(".lv-card")).to_be_visible()
    canvas.page.wait_for_timeout(400)
    assert canvas.page.evaluate("told") == []


def test_a_click_selects_and_tells_once(canvas: Canvas) -> None:
    canvas.show(looping())
    canvas.click(25)
    assert canvas.state["selected"] == 25
    canvas.click(25)
    assert canvas.told("select") == [25]
    expect(canvas.page.get_by_role("status")).to_contain_text("Call 26 · turn 26 · test · step 26 of 40")
    expect(canvas.page.get_by_role("status")).to_contain_text("copy 2 of 5")


def test_held_keys_settle_before_they_are_told(canvas: Canvas) -> None:
    canvas.show(looping(selected=5))
    canvas.page.evaluate(
        """() => { for (let turn = 0; turn < 12; turn++)
            root.querySelector(".lv-stage").dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" })) }"""
    )
    assert canvas.state["selected"] == 17
    canvas.wait_for("told.length > 0")
    assert canvas.page.evaluate("told") == [["select", 17]]


@pytest.mark.parametrize(
    ("start", "keys", "call"),
    [
        pytest.param(5, ["ArrowLeft"], 4, id="left"),
        pytest.param(0, ["ArrowLeft"], 0, id="left of the first"),
        pytest.param(39, ["ArrowRight"], 39, id="right of the last"),
        pytest.param(5, ["Home"], 0, id="home"),
        pytest.param(5, ["End"], 39, id="end"),
        pytest.param(None, ["ArrowRight"], 0, id="right of nothing"),
        pytest.param(None, ["n"], 4, id="the first cycle"),
        pytest.param(4, ["n"], 20, id="the next cycle"),
        pytest.param(20, ["n"], 20, id="no further cycle"),
        pytest.param(39, ["p", "p"], 4, id="two cycles back"),
    ],
)
def test_keys_walk(canvas: Canvas, start: int | None, keys: list[str], call: int) -> None:
    canvas.show(looping(selected=start))
    canvas.press(*keys)
    assert canvas.state["selected"] == call


def test_the_timeline_is_one_stop_of_the_tab_key_with_a_ring(canvas: Canvas) -> None:
    canvas.show(looping())
    canvas.page.keyboard.press("Tab")
    stage = canvas.page.locator(".lv-stage")
    expect(stage).to_be_focused()
    ring = "getComputedStyle(root.querySelector('.lv-stage'), '::before').borderTopWidth"
    assert canvas.page.evaluate(ring) == "2px"
    canvas.page.keyboard.press("Tab")
    expect(stage).not_to_be_focused()


def test_zoom_and_selection_survive_new_settings_but_not_another_run(canvas: Canvas) -> None:
    canvas.show(looping())
    canvas.zoom(25, 4)
    canvas.click(25)
    view = canvas.view
    assert view != (0, 39)
    canvas.update(looping(limit=9))
    assert (canvas.view, canvas.state["selected"]) == (view, 25)
    canvas.update(looping(run="another"))
    assert (canvas.view, canvas.state["selected"]) == ((0, 39), None)


def test_python_moves_the_selection_only_with_a_new_number(canvas: Canvas) -> None:
    canvas.show(looping(selected=3, seq=1))
    canvas.click(10)
    canvas.update(looping(selected=3, seq=1))
    assert canvas.state["selected"] == 10
    canvas.update(looping(selected=30, seq=2))
    assert canvas.state["selected"] == 30
    assert canvas.told("select") == [10]


def test_a_selected_call_out_of_sight_comes_into_view(canvas: Canvas) -> None:
    canvas.show(looping())
    canvas.zoom(5, 6)
    assert canvas.view[1] < 30
    canvas.update(looping(selected=33, seq=7))
    first, last = canvas.view
    assert first <= 33 <= last


def test_the_wheel_zooms_about_the_pointer(canvas: Canvas) -> None:
    canvas.show(looping())
    before = canvas.place(12)[0]
    canvas.zoom(12, 3)
    assert canvas.state["whole"] is False
    assert canvas.place(12)[0] == pytest.approx(before, abs=1)
    canvas.wait_for("JSON.stringify(told.at(-1)?.[1]) === JSON.stringify(root.loopviz.state().view)")
    assert canvas.told("view")[-1] == canvas.state["view"]


def test_the_page_keeps_the_wheel_when_there_is_nothing_to_widen(canvas: Canvas) -> None:
    canvas.show(looping())
    canvas.page.mouse.move(*canvas.place(12))
    canvas.page.mouse.wheel(0, 200)
    canvas.wait_for("scrollY > 100")
    assert canvas.state["whole"] is True


def test_a_double_click_shows_the_whole_run(canvas: Canvas) -> None:
    canvas.show(looping())
    canvas.zoom(25, 4)
    canvas.page.mouse.dblclick(*canvas.place(25))
    assert canvas.state["whole"] is True


def test_two_fingers_zoom_and_one_moves(canvas: Canvas) -> None:
    canvas.show(looping())
    session = canvas.page.context.new_cdp_session(canvas.page)

    def touch(kind: str, *places: tuple[float, float]) -> None:
        points = [{"x": x, "y": y, "id": at} for at, (x, y) in enumerate(places)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    x, y = canvas.place(20)
    touch("touchStart", (x - 40, y), (x + 40, y))
    touch("touchMove", (x - 120, y), (x + 120, y))
    touch("touchEnd")
    zoomed = canvas.view
    assert 0 < zoomed[0] <= 20 <= zoomed[1] < 39
    touch("touchStart", (x, y))
    for moved in (40, 80, 160):
        touch("touchMove", (x - moved, y))
    touch("touchEnd")
    assert canvas.view[0] > zoomed[0]
    assert canvas.told("stretch") == []


def test_a_finger_that_rests_marks_from_there(canvas: Canvas) -> None:
    canvas.show(looping())
    session = canvas.page.context.new_cdp_session(canvas.page)
    (x, y), (end, _) = canvas.place(12), canvas.place(18)

    def touch(kind: str, *places: float) -> None:
        points = [{"x": place, "y": y} for place in places]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", x)
    canvas.wait_for("root.loopviz.state().stretch !== null")
    touch("touchMove", (x + end) / 2)
    touch("touchMove", end)
    touch("touchEnd")
    assert canvas.state["stretch"] == {"first": 12, "last": 18}
    assert canvas.state["whole"]
    assert canvas.told("stretch") == [{"first": 12, "last": 18}]


def test_the_strip_can_be_dragged(canvas: Canvas) -> None:
    canvas.show(looping())
    canvas.zoom(5, 6)
    strip = "root.loopviz.state().lanes.strip"
    box = canvas.page.locator(".lv-over").bounding_box()
    assert box
    y = box["y"] + canvas.page.evaluate(strip)
    canvas.page.mouse.move(box["x"] + 200, y)
    canvas.page.mouse.down()
    canvas.page.mouse.move(box["x"] + box["width"] - 10, y, steps=6)
    canvas.page.mouse.up()
    assert canvas.view[1] == 39
    assert canvas.told("stretch") == []


def test_a_drag_marks_a_stretch_and_escape_clears_it(canvas: Canvas) -> None:
    canvas.show(looping())
    canvas.drag(18, 12)
    assert canvas.state["stretch"] == {"first": 12, "last": 18}
    expect(canvas.page.get_by_role("status")).to_contain_text("Calls 13–19 marked")
    canvas.update(looping(limit=5))
    assert canvas.state["stretch"] == {"first": 12, "last": 18}
    canvas.press("Escape")
    assert canvas.state["stretch"] is None
    assert canvas.told("stretch") == [{"first": 12, "last": 18}, None]


def test_shift_and_arrows_mark_a_stretch_from_the_selected_call(canvas: Canvas) -> None:
    canvas.show(looping(selected=10))
    canvas.press(*["Shift+ArrowRight"] * 3)
    assert canvas.state["stretch"] == {"first": 10, "last": 13}
    canvas.press(*["Shift+ArrowLeft"] * 5)
    assert canvas.state["stretch"] == {"first": 8, "last": 10}
    canvas.wait_for("told.at(-1)?.[1].first === 8")
    assert canvas.told("select") == []


def test_an_answer_stands_beside_the_stretch_it_is_about_while_calls_are_hovered(canvas: Canvas) -> None:
    canvas.show(looping())
    canvas.drag(12, 18)
    answered = looping()
    answered["stretch"] = {"first": 12, "last": 18, "lines": [[words("Calls 13–19 do not count.")]]}
    canvas.update(answered)
    answer = canvas.page.locator(".lv-answer")
    expect(answer).to_have_text("Calls 13–19 do not count.")
    canvas.page.mouse.move(*canvas.place(3))
    expect(canvas.page.locator(".lv-card")).to_contain_text("Call 4")
    expect(answer).to_be_visible()
    canvas.press("Escape")
    expect(answer).to_be_hidden()


def test_python_marks_a_stretch_and_clears_it(canvas: Canvas) -> None:
    canvas.show({**looping(), "marked": {"span": (4, 9), "seq": 0}})
    assert canvas.state["stretch"] == {"first": 4, "last": 9}
    canvas.drag(12, 18)
    canvas.update({**looping(), "marked": {"span": (4, 9), "seq": 0}})
    assert canvas.state["stretch"] == {"first": 12, "last": 18}
    canvas.update({**looping(), "marked": {"span": None, "seq": 1}})
    assert canvas.state["stretch"] is None
    canvas.drag(12, 18)
    assert canvas.told("stretch") == [{"first": 12, "last": 18}, {"first": 12, "last": 18}]


def test_hover_tells_all_about_a_call(canvas: Canvas) -> None:
    canvas.show(looping(errors=[24]))
    canvas.page.mouse.move(*canvas.place(24))
    expect(canvas.page.locator(".lv-card")).to_have_text(
        "Call 25 turn 25 editb in abc, copy 2 of 5 · errorladder 0 · thrash 1 of 3"
    )


def hundred_thousand() -> Payload:
    """Plain calls of two tools, with one loop of five calls and one error among them."""
    tools = ["bash", "grep"] * 50_000
    return picture(tools, cycles=[(70_000, 70_005, 1, 5, CycleState.OVER)], errors=[30_001])


def test_the_strongest_mark_wins_among_a_hundred_thousand(canvas: Canvas) -> None:
    canvas.show(hundred_thousand())
    palette = PALETTES["light"]
    rows = "root.loopviz.state().lanes.rows"
    assert canvas.state["dense"] is True
    assert canvas.colour(70_002, STEP_LANE) == palette.hue(1)
    assert canvas.colour(70_002, f"{rows} + 3") == palette.hue(1)
    assert canvas.colour(30_001, f"{rows} + 21") == palette.ink
    assert canvas.colour(30_001, f"{rows} + 9") == palette.mark
    assert canvas.colour(50_000, STEP_LANE) == palette.cell


def test_of_many_calls_in_a_pixel_a_click_takes_the_strongest(canvas: Canvas) -> None:
    canvas.show(hundred_thousand())
    canvas.click(70_002)
    assert 70_000 <= canvas.state["selected"] < 70_005


def test_zooming_into_a_hundred_thousand_brings_back_letters(canvas: Canvas) -> None:
    canvas.show(hundred_thousand())
    canvas.click(70_002)
    canvas.press(*["+"] * 14)
    first, last = canvas.view
    assert last - first < 20
    assert first <= canvas.state["selected"] <= last
    assert canvas.state["dense"] is False
    expect(canvas.page.locator(".lv-axis-lane")).to_contain_text(f"{first + 1:,}–{last + 1:,}")


HOSTILE = (
    "<img src=x onerror=document.title='owned'>",
    "![x](https://example.com/x.png)",
    "mcp__" + "long_" * 39,
    "اقرأ_الملف_من_القرص_الصلب_الآن",
    "🧪🔥👩‍👩‍👧‍👦 tests",
)


def test_texts_of_a_run_stay_texts(canvas: Canvas) -> None:
    sentence = verdict({"kind": "code", "text": HOSTILE[0]}, words(HOSTILE[1]))
    canvas.show(picture(HOSTILE * 3, shown=sentence, events=[{"call": 3, "kind": "user", "label": HOSTILE[0]}]))
    canvas.press("Home")
    canvas.page.mouse.move(*canvas.place(5))
    expect(canvas.page.locator(".lv-sentence")).to_have_text(HOSTILE[0] + HOSTILE[1])
    expect(canvas.page.get_by_role("status")).to_contain_text(HOSTILE[0])
    assert canvas.page.locator("#root img, #root a, #root script").count() == 0
    assert canvas.page.title() == ""


@pytest.mark.parametrize("width", [390, 640, 1280, 1920])
def test_long_names_are_cut_and_told_in_full_by_a_tooltip(width: int, address: str, new_page: NewPage) -> None:
    canvas = opened(new_page(width=width), address)
    canvas.show(picture(HOSTILE * 3, shown=verdict(words(HOSTILE[2]))))
    assert canvas.page.evaluate("document.documentElement.scrollWidth") <= width
    label = canvas.page.get_by_title(HOSTILE[2])
    expect(label).to_contain_text("…")
    box, stage = label.bounding_box(), canvas.page.locator(".lv-stage").bounding_box()
    assert box and stage and box["x"] + box["width"] <= stage["x"] + (136 if width > 672 else 92)


def test_a_narrow_screen_opens_on_the_deciding_cycle(address: str, new_page: NewPage) -> None:
    canvas = opened(new_page(width=390), address)
    canvas.show(looping())
    assert canvas.view == (18, 36)
    assert canvas.state["column"] >= 9
    expect(canvas.page.get_by_text("Whole run")).to_be_visible()
    expect(canvas.page.get_by_text("tap selects")).to_be_visible()
    assert canvas.page.locator(".lv-figure").all_inner_texts() == [""] * canvas.page.locator(".lv-figure").count()


def test_the_theme_is_that_of_the_page(canvas: Canvas) -> None:
    canvas.page.evaluate("document.documentElement.classList.add('dark')")
    canvas.show(looping())
    assert canvas.state["theme"] == "dark"
    assert canvas.colour(25, f"{STEP_LANE} + 11") == PALETTES["dark"].hue(3)
    canvas.page.evaluate("document.documentElement.classList.remove('dark')")
    canvas.update(looping())
    assert canvas.state["theme"] == "light"


def test_without_calls_it_says_so(canvas: Canvas) -> None:
    canvas.show(picture([]))
    expect(canvas.page.get_by_role("status")).to_have_text("No calls in this run.")
    canvas.update(looping(run="a longer one"))
    canvas.click(5)
    assert canvas.state["selected"] == 5


def test_one_call_can_be_selected(canvas: Canvas) -> None:
    canvas.show(picture(["bash"]))
    canvas.click(0)
    expect(canvas.page.get_by_role("status")).to_contain_text("Call 1 · turn 1 · bash · step 1 of 1")


def test_a_call_that_is_not_watched_says_so(canvas: Canvas) -> None:
    canvas.show(picture(["bash", "plan", "bash"], unwatched=["plan"]))
    canvas.click(1)
    expect(canvas.page.get_by_role("status")).to_have_text("Call 2 · turn 2 · plan · not watched, so no step")


def test_without_times_there_is_no_axis_of_time(canvas: Canvas) -> None:
    canvas.show(looping(shown=verdict()))
    expect(canvas.page.get_by_role("group", name="Axis")).to_be_hidden()


def test_the_axis_of_time_places_calls_by_their_start_and_cuts_long_waits(canvas: Canvas) -> None:
    starts = [2.0 * call + (3_600 if call >= 20 else 0) for call in range(40)]
    canvas.show(looping(starts=starts, shown=verdict()))
    canvas.page.get_by_role("button", name="time").click()
    assert canvas.state["axis"] == "time"
    assert canvas.told("axis") == ["time"]
    columns = np.diff([canvas.place(call)[0] for call in (10, 11, 19, 20, 30)])
    assert columns[1] == pytest.approx(8 * columns[0], rel=0.02)
    assert columns[0] < columns[2] < 20 * columns[0]
    canvas.update(looping(limit=7, starts=starts, shown=verdict()))
    assert canvas.state["axis"] == "time"


def test_a_piece_of_a_sentence_can_be_a_button(canvas: Canvas) -> None:
    sentence = verdict({"kind": "text", "text": "5 allowed", "action": "max=5"})
    canvas.show(looping(shown=sentence))
    canvas.page.get_by_role("button", name="5 allowed").click()
    assert canvas.told("action") == ["max=5"]


def test_a_narrower_window_is_drawn_anew(canvas: Canvas) -> None:
    canvas.show(looping())
    wide = canvas.state["column"]
    canvas.page.set_viewport_size({"width": 900, "height": 700})
    canvas.wait_for(f"root.loopviz.state().column < {wide}")
    assert canvas.page.evaluate("document.documentElement.scrollWidth") <= 900


def test_destroying_leaves_nothing_behind(canvas: Canvas) -> None:
    canvas.show(looping())
    canvas.page.evaluate("handle.destroy()")
    assert canvas.page.evaluate("[root.childNodes.length, root.loopviz === undefined]") == [0, True]


def test_the_script_reads_columns_as_python_does(canvas: Canvas) -> None:
    payload = looping()
    kinds = {text.partition(":")[0] for text in payload["calls"].values() if isinstance(text, str)}
    assert kinds >= {"u1"}
    assert decode(payload["calls"]["step"]).tolist() == list(range(40))
    canvas.show(json.loads(json.dumps(payload)))
    canvas.click(39)
    expect(canvas.page.get_by_role("status")).to_contain_text("step 40 of 40")
