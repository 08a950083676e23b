"""The tiny made-up projects the agent works on, as path and text: two libraries and a documentation."""

from __future__ import annotations

Files = dict[str, str]

CHECK: Files = {
    "check.py": '''\
"""Runs the tests and prints the same text for the same state: no times, no addresses."""
import glob
import sys

sys.path[:0] = [".", "tests"]
wanted = sys.argv[1:] or sorted(glob.glob("tests/test_*.py"))
ran = failed = 0
for path in wanted:
    module = __import__(path[len("tests/"):-len(".py")])
    for name, test in sorted(vars(module).items()):
        if not name.startswith("test_"):
            continue
        ran += 1
        try:
            test()
        except Exception as error:
            failed += 1
            line = error.__traceback__.tb_next.tb_lineno
            print(f"FAILED {path}::{name} (line {line}): {type(error).__name__}: {error}")
print(f"{ran} run, {failed} failed")
sys.exit(1 if failed else 0)
''',
    "tests/expect.py": """\
def equal(got, wanted):
    if got != wanted:
        raise AssertionError(f"got {got!r}, wanted {wanted!r}")
""",
}

TILL: Files = {
    **CHECK,
    "README.md": "# till\n\nAdds up receipts. Amounts are whole cents.\n",
    "CHANGES.md": "# Changes\n\n## Unreleased\n\n",
    "till/__init__.py": "",
    "till/money.py": '''\
"""Money as whole cents."""


def parse(text):
    """Read '12.345' as cents, half a cent rounded up."""
    whole, _, rest = text.partition(".")
    rest = (rest + "000")[:3]
    cents = int(whole) * 100 + int(rest[:2])
    if int(rest[2]) > 5:
        cents += 1
    return cents


def show(cents):
    return f"{cents // 100}.{cents % 100:02d}"


def split(cents, people):
    """Share an amount; the shares add up to it."""
    return [cents // people] * people
''',
    "till/receipt.py": '''\
"""A receipt is a list of lines: name, amount, count."""
from till.money import parse, show

VAT = 19


def total(lines):
    return sum(parse(amount) * count for _, amount, count in lines)


def vat(cents):
    return round(cents * VAT / (100 + VAT))


def footer(lines):
    return f"total {show(total(lines))}, of it VAT {show(vat(total(lines)))}"
''',
    "tests/test_money.py": """\
from expect import equal
from till import money


def test_parse_whole():
    equal(money.parse("12"), 1200)


def test_parse_rounds_half_up():
    equal(money.parse("0.125"), 13)


def test_show_pads():
    equal(money.show(105), "1.05")


def test_split_adds_up():
    equal(sum(money.split(100, 3)), 100)
""",
    "tests/test_receipt.py": """\
from expect import equal
from till import receipt

LINES = [("tea", "2.40", 2), ("cake", "3.20", 1)]


def test_total():
    equal(receipt.total(LINES), 800)


def test_footer():
    equal(receipt.footer(LINES), "total 8.00, of it VAT 1.28")
""",
}

TABLE: Files = {
    **CHECK,
    "table/__init__.py": "",
    "table/render.py": '''\
"""Draws rows as columns of text."""


def width(rows, column):
    return max(len(row[column]) for row in rows)


def render(rows):
\tlines = []
\tfor row in rows:
\t\tcells = [cell.ljust(width(rows, n)) for n, cell in enumerate(row)]
\t\tlines.append(" ".join(cells))
\treturn "\\n".join(lines)
''',
    "table/cli.py": """\
from table.render import render


def main(lines):
    return render([line.split(",") for line in lines])
""",
    "tests/test_render.py": """\
from expect import equal
from table.cli import main
from table.render import render


def test_no_space_at_line_end():
    equal(render([["a", "b"], ["cc", "dd"]]), "a  b\\ncc dd")


def test_empty():
    equal(render([]), "")


def test_cli():
    equal(main(["x,y"]), "x y")
""",
}

ATLAS: Files = {
    "docs/backups.md": "# Backups\n\nA backup runs every night. Old ones are deleted after the retention time.\n",
    "docs/retention.md": "# Retention\n\nThe retention time is set per tenant. See backups for what it applies to.\n",
    "docs/limits.md": "# Limits\n\nA client may send 60 requests a minute. Above that the answer is 429.\n",
    "docs/retry.md": "# Retry policy\n\nRetry after a 429 with growing pauses: 1, 2, 4 seconds, at most 5 times.\n",
    "docs/webhooks.md": "# Webhooks\n\nA webhook is sent once. A failed one is kept for a day.\n",
    "docs/tenants.md": "# Tenants\n\nA tenant has a plan. The plan decides limits and retention.\n",
    "docs/errors.md": "# Errors\n\n400 bad request, 401 not signed in, 429 too many requests, 503 try again.\n",
    "docs/plans.md": "# Plans\n\n| plan | requests a minute | backups kept |\n|---|---|---|\n| free | 60 | 7 days |\n"
    "| team | 600 | 30 days |\n",
    "config/defaults.ini": "[backup]\nhour = 2\nkeep = ${plan.backups_kept}\n\n[limits]\nper_minute = 60\n",
    "config/tenants.ini": "[north]\nplan = team\n\n[south]\nplan = free\n",
    "client/send.py": '''\
"""Sends one request, again if the server is busy."""
PAUSES = [1, 1, 1]


def send(post, request):
    for pause in PAUSES:
        status = post(request)
        if status != 429:
            return status
    return status
''',
}
