"""What looks like a secret is hidden; what does not is left alone."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopviz import masking
from loopviz.masking import MASK, mask, mask_text

SIGNS = (
    *("eyJ", "sk-", "rk_", "ghp_", "github_pat_", "glpat-", "AKIA", "ASIA", "AIza", "xoxb-", "hf_", "npm_", "pypi-"),
    *("-----BEGIN PRIVATE KEY-----", "://", "bearer ", "Basic ", "password", "passphrase", "passwd", "pwd", "secret"),
    *("api_key", "token", "credent", "als", "ial", "curl -u a:", "mysql -p", "sshpass -p ", "cookie: a=", "--token "),
    *('{"name": "token", "value": ', ' is "1'),
)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("bash → read", id="tool names"),
        pytest.param("12 tokens: 4500 in, 300 out", id="token counts"),
        pytest.param("the sk-learn package and a task-list", id="words that begin alike"),
        pytest.param("https://example.org:8080/a/b?x=1", id="an address with a port"),
        pytest.param("a 7fa3bc9d21e04a7b8c1d hash", id="a bare hash"),
        pytest.param("the token budget: 4500, max_token: 128000", id="a budget of tokens"),
        pytest.param("pip install sk-learn-contrib-project", id="a package of many words"),
        pytest.param("a basic understanding of bearer authentication", id="prose about signing in"),
        pytest.param("def sign_in(password: str, token: str = None):", id="a declaration"),
        pytest.param("if password == other:", id="a comparison"),
        pytest.param("Password:\n$ ls", id="a prompt"),
        pytest.param('["http://localhost:3000","me@example.org"]', id="a port, then a mail address"),
        pytest.param("http://localhost:3000?mail=me@example.org", id="a mail address in a query"),
        pytest.param("the password is required, and the token is invalid", id="prose about passwords"),
        pytest.param('the password is "incorrect"', id="a plain word in quotation marks"),
        pytest.param("use --password to give it, or --max-token 4096", id="prose about options"),
        pytest.param("docker run -u 1000:1000 app; mysql -u root -p; mkdir -p a", id="the same letters elsewhere"),
        pytest.param("cookie: chocolate, and cookies: none", id="cookies to eat"),
        pytest.param('{"name": "colour", "value": "red"}', id="a variable that is no secret"),
        pytest.param("const token = { kind: 1 }", id="an object of a program"),
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


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        pytest.param("password: correct horse\nnext", f"password: {MASK}\nnext", id="to the end of the line"),
        pytest.param("passphrase:  two words", f"passphrase:  {MASK}", id="after two blanks"),
        pytest.param("pwd: sk-" + "a1" * 12 + " and more", f"pwd: {MASK}", id="a token and more words"),
        pytest.param('password: it\'s a "good" one', f"password: {MASK}", id="quotation marks inside"),
        pytest.param("password=ab,cd next", f"password={MASK} next", id="to the next white space"),
        pytest.param("/?password=x1&y=1", f"/?password={MASK}&y=1", id="to the next field of an address"),
        pytest.param("sign_in(password=x, y)", f"sign_in(password={MASK}, y)", id="to the next argument"),
        pytest.param("password: 'it is' x", f"password: '{MASK}' x", id="to the closing quotation mark"),
        pytest.param('password: str = "hunter2"', f'password: str = "{MASK}"', id="a declaration with a value"),
        pytest.param(r'{"secret": "a\"b c", "d": 1}', rf'{{"secret": "{MASK}", "d": 1}}', id="an escaped mark"),
        pytest.param('{"pwd":"abc","d":1}', f'{{"pwd":"{MASK}","d":1}}', id="a short value"),
        pytest.param('{"password": 1234, "d": 1}', f'{{"password": {MASK}, "d": 1}}', id="a number"),
        pytest.param('{"password":["a]b", "c"],"d":1}', f'{{"password":{MASK},"d":1}}', id="a list"),
        pytest.param('password: ["a", "b"]', f"password: {MASK}", id="a list under a bare name"),
        pytest.param(r'"password: a b\nnext"', rf'"password: {MASK}\nnext"', id="to a line's end in JSON"),
        pytest.param('{"a": "password: a b"}', f'{{"a": "password: {MASK}"}}', id="to the end of a JSON text"),
        pytest.param("Bearer auth0_12.34-56", f"Bearer {MASK}", id="a bearer token that begins like prose"),
        pytest.param(r'"\nghp_' + "a" * 36, rf'"\n{MASK}', id="a token after a line's end in JSON"),
    ],
)
def test_masks_as_far_as_the_value_goes(text: str, masked: str) -> None:
    assert mask_text(text) == masked


KEY = "sk-proj-" + "a1B2" * 8


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        pytest.param('["--password", "abc", "x"]', f'["--password", "{MASK}", "x"]', id="the argument of an option"),
        pytest.param("app --password hunter2 run", f"app --password {MASK} run", id="an option of a command"),
        pytest.param("app --token 'a b' run", f"app --token '{MASK}' run", id="a quoted option"),
        pytest.param('{"name":"API_KEY","value":"abc"}', f'{{"name":"API_KEY","value":"{MASK}"}}', id="a variable"),
        pytest.param("curl -s -u bob:pw http://x", f"curl -s -u bob:{MASK} http://x", id="a user of curl"),
        pytest.param("curl --user 'bob:p w' x", f"curl --user 'bob:{MASK}' x", id="a quoted user of curl"),
        pytest.param("mysqldump -u root -pPW db", f"mysqldump -u root -p{MASK} db", id="mysql"),
        pytest.param("sshpass -p 'p w' ssh x", f"sshpass -p '{MASK}' ssh x", id="sshpass"),
        pytest.param("Cookie: sid=abc; b=c\nnext", f"Cookie: {MASK}\nnext", id="a header of cookies"),
        pytest.param('{"Set-Cookie": "sid=abc", "d": 1}', f'{{"Set-Cookie": "{MASK}", "d": 1}}', id="one in JSON"),
        pytest.param("client_secret_value=abcdefgh", f"client_secret_value={MASK}", id="a value of a secret"),
        pytest.param('{"passwordHash":"ab"}', f'{{"passwordHash":"{MASK}"}}', id="a hash"),
        pytest.param("password2=ab", f"password2={MASK}", id="a second one"),
        pytest.param(f"tool_{KEY} x", f"tool_{MASK} x", id="a key behind an underscore"),
        pytest.param(f"tool{KEY} x", f"tool{MASK} x", id="a key glued to a word"),
        pytest.param('password is "sw0rdfish".', f'password is "{MASK}".', id="told in quotation marks"),
        pytest.param('{"token":{"value":"abc"},"d":1}', f'{{"token":{MASK},"d":1}}', id="an object"),
        pytest.param('{"secret":{"a":{"b":1},"c":"x"},"d":1}', f'{{"secret":{MASK},"d":1}}', id="objects in objects"),
    ],
)
def test_masks_the_shapes_of_commands_headers_and_variables(text: str, masked: str) -> None:
    assert mask_text(text) == masked
    assert mask_text(masked) == masked


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize(
    "value",
    [
        pytest.param(["--password", "S3"], id="an option"),
        pytest.param({"name": "API_KEY", "value": "S3"}, id="a variable"),
        pytest.param({"Cookie": "a=S3; b=c"}, id="a cookie"),
        pytest.param({"token": {"value": "S3", "a": {"b": 1}}, "c": 1}, id="an object"),
    ],
)
def test_masks_these_shapes_in_json_inside_json(value: object, depth: int) -> None:
    text = json.dumps(value)
    for _ in range(depth):
        text = json.dumps({"cmd": text})
    assert "S3" not in mask_text(text) and MASK in mask_text(text)
    assert "S3" not in json.dumps(mask(json.loads(text)))


def test_hides_what_a_list_or_a_field_beside_it_names() -> None:
    given = {
        "argv": ["--password", "swordfish", "--token", "--verbose", "x"],
        "env": [{"name": "API_KEY", "value": 7}, {"name": "HOME", "value": "/home"}],
        "cookies": ["a=b"],
        "passwordHash": "ab",
    }
    assert mask(given) == {
        "argv": ["--password", MASK, "--token", "--verbose", "x"],
        "env": [{"name": "API_KEY", "value": MASK}, {"name": "HOME", "value": "/home"}],
        "cookies": [MASK],
        "passwordHash": MASK,
    }


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
@pytest.mark.parametrize("value", ["supersecretvalue99", "two words", "abc"])
@pytest.mark.parametrize("name", ["api_key", "password"])
def test_masks_json_inside_json(name: str, value: str, depth: int) -> None:
    def nested(inner: str) -> str:
        text = json.dumps({name: inner, "d": 1})
        for _ in range(depth):
            text = json.dumps({"cmd": f"curl -d '{text}' u"})
        return text

    assert mask_text(nested(value)) == nested(MASK)


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_masks_a_list_in_json_inside_json(depth: int) -> None:
    text, masked = '{"password": ["an]b", "c d"], "e": 1}', f'{{"password": {MASK}, "e": 1}}'
    for _ in range(depth):
        text, masked = json.dumps({"cmd": text, "f": 2}), json.dumps({"cmd": masked, "f": 2})
    assert mask_text(text) == masked


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        pytest.param("a\n-----BEGIN PRIVATE KEY-----\nMIIE\nabc", f"a\n{MASK}", id="cut short"),
        pytest.param(
            "-----BEGIN PGP PRIVATE KEY BLOCK-----\nx\n-----END PGP PRIVATE KEY BLOCK-----\nb", f"{MASK}\nb", id="PGP"
        ),
        pytest.param(
            "-----BEGIN PUBLIC KEY-----\nx\n-----END PUBLIC KEY-----",
            "-----BEGIN PUBLIC KEY-----\nx\n-----END PUBLIC KEY-----",
            id="a public key stays",
        ),
    ],
)
def test_masks_a_key_of_many_lines_whole(text: str, masked: str) -> None:
    assert mask_text(text) == masked


def test_masks_inside_values_and_under_telling_names() -> None:
    given = {"a": ["token=abcdef123"], "db_password": "short", "n": 3, "none": None}
    assert mask(given) == {"a": [f"token={MASK}"], "db_password": MASK, "n": 3, "none": None}


MIX = (*"ab1 :=,;\"'\\[]{}@/\n", "password", "token", "eyJ", "sk-", "http://", MASK)


def test_masking_twice_changes_nothing_more() -> None:
    once = mask_text("password=hunter22 and api_key: 'abcdefgh'")
    assert mask_text(once) == once


@given(st.lists(st.sampled_from([*MIX, *SIGNS[-7:]])))
def test_masking_twice_hides_nothing_new_of_any_mix(pieces: list[str]) -> None:
    once = mask_text("".join(pieces))
    assert mask_text(once) == once


@given(st.lists(st.sampled_from([*"ab1 :=\"'@/.\u0130\u0131\u017f\u212a", *SIGNS, "a1B2" * 5])))
def test_no_text_is_passed_over_for_want_of_a_sign(pieces: list[str]) -> None:
    """Most texts are known at a glance to hold nothing; that glance must miss nothing that the patterns would find."""
    text = "".join(pieces)
    by_patterns = masking._TOKENS.sub(MASK, text)
    for pattern in masking._NAMING:
        by_patterns = pattern.sub(masking._behind_its_name, by_patterns)
    by_patterns = masking._COMMAND.sub(masking._without_passwords, by_patterns)
    assert mask_text(text) == by_patterns


def test_hides_all_that_stands_under_a_telling_name() -> None:
    given = {"password": ["hunter2", {"old": "a"}], "pwd": 1234, "token": [5, "b"], "secret": None, "tokens": 9}
    assert mask(given) == {
        "password": [MASK, {"old": MASK}],
        "pwd": MASK,
        "token": [5, MASK],
        "secret": None,
        "tokens": 9,
    }


HOSTILE = (
    *("eyJ-", "eyJaaaaaaaa.", "sk-", "xoxb-", "pypi-", "a:a:a:@", "a://a:", "a://a:a", "bearer ", "basic a"),
    *("-----BEGIN PRIVATE KEY-----", "-----BEGIN ", "-----END PRIVATE KEY", "password=", "password: ", "token:"),
    *('"password":"', 'password\\"', "password:[", 'password:["'),
    *("a", "1", "-", "_", "a-", "a.", "\\", '"', " ", "\n"),
    *(
        "curl ",
        "curl -u ",
        "curl -u a",
        "mysql -",
        "mysql -p",
        "cookie:",
        "cookie: a=",
        "cookie: a=\\",
        "--token ",
        "{",
    ),
    *('"password":{', '"password":{"a', '"password":{"":{', "--password '", '"name":"token","value":"', '"--token","'),
    *("password is '", "sk-proj-", "sshpass -p "),
)


@pytest.mark.parametrize("opening", ["", 'password="'])
@pytest.mark.parametrize("piece", HOSTILE)
def test_takes_time_in_proportion_to_the_text(piece: str, opening: str) -> None:
    """A pattern that is quadratic takes minutes for these; a sound one takes a second or two."""
    text = opening + piece * (400_000 // len(piece))
    began = time.process_time()
    mask_text(text)
    assert time.process_time() - began < 10
