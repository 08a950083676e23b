"""The Inspect page as a test handles it: its controls, its verdict, its timeline."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Locator, Page, expect


class InspectPage:
    """One opened Inspect page."""

    def __init__(self, page: Page, url: str, **link: Any) -> None:
        self.page = page
        page.goto(f"{url}/?{urlencode(link, doseq=True)}" if link else url)
        expect(self.badge).to_be_visible()

    @classmethod
    def of(cls, page: Page) -> InspectPage:
        """A page that was opened already."""
        opened = cls.__new__(cls)
        opened.page = page
        expect(opened.badge).to_be_visible()
        return opened

    @property
    def badge(self) -> Locator:
        """FAIL, PASS or NOT JUDGED."""
        return self.page.locator(".lv-badge")

    @property
    def sentence(self) -> Locator:
        return self.page.locator(".lv-sentence")

    @property
    def status(self) -> Locator:
        """What is said of the chosen call."""
        return self.page.locator(".lv-status")

    @property
    def timeline(self) -> Locator:
        return self.page.locator(".loopviz")

    def row(self, label: str) -> Locator:
        """A row below the sentence, such as `Would pass with`."""
        return self.page.locator(f".lv-row-label:text-is('{label}') + .lv-row")

    def control(self, label: str) -> Locator:
        """A number or text of the settings row."""
        return self.page.get_by_label(label, exact=True)

    def same_when(self, name: str) -> Locator:
        return self.page.locator(".st-key-settings").get_by_role("radio", name=name, exact=True)

    def section(self, name: str) -> Locator:
        """A part of the evidence: `figures`, `call` or `cycles`."""
        return self.page.locator(f"section[data-section={name}]")

    def state(self) -> dict[str, Any]:
        """What the timeline shows: its own hook for tests."""
        state: dict[str, Any] = self.timeline.evaluate("root => root.loopviz.state()")
        return state

    def click_call(self, call: int) -> None:
        """Click a call on the timeline, counted from 0."""
        x = self.timeline.evaluate("(root, call) => root.loopviz.x(call)", call)
        y = self.state()["lanes"]["steps"]
        self.page.locator(".lv-stage").click(position={"x": x, "y": y})
