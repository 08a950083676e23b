"""What looks like a secret is hidden; what does not is left alone."""

import pytest

from loopviz.masking import MASK, mask, mask_text


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("bash → read", id="tool names"),
        pytest.param("12 tokens: 4500 in, 300 out", id="token counts"),
        pytest.param("the sk-learn package and a task-list", id="words that begin alike"),
        pytest.param("https://example.org:8080/a/b?x=1", id="an address with a port"),
        pytest.param("a 7fa3bc9d21e04a7b8c1d hash", id="a bare hash"),
    ],
)
def test_leaves_alone(text: str) -> None:
    assert mask_text(text) == text


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        pytest.param("key sk-" + "a1" * 12, f"key {MASK}", id="a model service's key"),
        pytest.param("ghp_" + "a" * 36, MASK, id="a code host's token"),
        pytest.param("AKIA" + "B" * 16, MASK, id="a cloud key"),
        pytest.param("Authorization: Bearer abcdef.123456-xyz", f"Authorization: Bearer {MASK}", id="a bearer token"),
        pytest.param("export API_KEY=abc123xyz", f"export API_KEY={MASK}", id="an assignment"),
        pytest.param('{"password": "hunter22"}', f'{{"password": "{MASK}"}}', id="inside JSON text"),
        pytest.param("psql postgres://me:s3cret@db/x", f"psql postgres://me:{MASK}@db/x", id="in an address"),
        pytest.param(
            "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----.", f"{MASK}.", id="a private key"
        ),
    ],
)
def test_masks(text: str, masked: str) -> None:
    assert mask_text(text) == masked


def test_masks_inside_values_and_under_telling_names() -> None:
    given = {"a": ["token=abcdef123"], "db_password": "short", "n": 3, "none": None}
    assert mask(given) == {"a": [f"token={MASK}"], "db_password": MASK, "n": 3, "none": None}


def test_masking_twice_changes_nothing_more() -> None:
    once = mask_text("password=hunter22 and api_key: 'abcdefgh'")
    assert mask_text(once) == once
