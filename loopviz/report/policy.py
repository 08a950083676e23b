"""The content policy of a report: nothing is fetched, and nothing runs but the two pieces named by their hashes."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256

from loopviz.report.markup import Markup, element


def policy(script: str, style: str) -> Markup:
    """The policy as a `meta` element; it holds for what stands behind it.

    The timeline sets sizes and colours through the object model, which a policy leaves alone, so that style needs no
    `unsafe-inline`: a `style` attribute that came in with a text would have no effect.
    """
    rules = (
        "default-src 'none'",
        f"script-src {_hashed(script)}" if script else "script-src 'none'",
        f"style-src {_hashed(style)}",
        "base-uri 'none'",
        "form-action 'none'",
    )
    return element("meta", http_equiv="Content-Security-Policy", content="; ".join(rules))


def _hashed(code: str) -> str:
    return f"'sha256-{b64encode(sha256(code.encode()).digest()).decode('ascii')}'"
