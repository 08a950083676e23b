"""Fails unless all browser tests ran: `browser_tests_ran.py RESULTS`, a file that pytest wrote for --junitxml."""

import sys
from xml.etree import ElementTree


def main(results: str) -> str | None:
    """Count the browser tests; a text says what is wrong."""
    cases = [
        case
        for case in ElementTree.parse(results).iter("testcase")
        if "browser" in case.get("classname", "").split(".")
    ]
    left_out = [case.get("name") for case in cases if case.find("skipped") is not None]
    if left_out:
        return f"{len(left_out)} browser tests were skipped: {', '.join(map(str, left_out))}"
    if not cases:
        return "no browser test ran"
    print(f"{len(cases)} browser tests ran")
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
