"""Watches pages: what they log as an error, what they fail on, and every request that leaves the machine."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from playwright.sync_api import BrowserContext, ConsoleMessage, Route, WebSocket

OUTSIDE = re.compile(r"^(?:https?|wss?)://(?!(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?(?:[/?#]|$))")
"""An address on another machine."""
SEARCH = re.compile(r"^http://[^/]+/[^/]+/_stcore/(?:health|host-config)$")
"""Opened at the address of a page, Streamlit looks for its server below that page first, where there is none."""


@dataclass  # without slots: Playwright keeps a wrapper of each handler on its object
class Guard:
    """The troubles of the pages it watches, in the order they came."""

    troubles: list[str] = field(default_factory=list)

    def watch(self, context: BrowserContext) -> None:
        """Listen to every page that opens in `context`, and stop whatever would leave the machine."""
        context.route(OUTSIDE, self._stop)
        context.on("page", lambda page: page.on("websocket", self._check_socket))
        context.on("console", self._check_message)
        context.on("weberror", lambda error: self._note("uncaught error", str(error.error)))

    def _stop(self, route: Route) -> None:
        self._note("request left the machine", route.request.url)
        route.abort()

    def _check_message(self, message: ConsoleMessage) -> None:
        wrong = message.type == "error" and not SEARCH.match(message.location["url"])
        self._note("console error", f"{message.text} ({message.location['url']})", wrong)

    def _check_socket(self, socket: WebSocket) -> None:
        self._note("socket left the machine", socket.url, OUTSIDE.match(socket.url) is not None)

    def _note(self, kind: str, text: str, wrong: bool = True) -> None:
        if wrong:
            self.troubles.append(f"{kind}: {text}")
