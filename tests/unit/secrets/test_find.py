"""Secrets in texts: each kind is found where it stands, and what looks like one is left alone."""

import re
from base64 import b64encode
from hashlib import sha1, sha256
from importlib.metadata import files
from pathlib import Path
from random import Random
from time import process_time
from uuid import UUID

import pytest

from strata.secrets import KINDS, find_secrets, mask
from tests.unit.secrets.samples import SAMPLES, Sample, letters, token

ROOT = Path(__file__).parents[3]


def name_of(sample: Sample) -> str:
    return sample.kind


@pytest.mark.parametrize("sample", SAMPLES, ids=name_of)
def test_a_secret_is_found_where_it_stands(sample: Sample) -> None:
    found = [(one.kind, sample.text[one.start : one.end]) for one in find_secrets(sample.text)]
    assert found == [(sample.kind, sample.secret)]


@pytest.mark.parametrize("sample", SAMPLES, ids=name_of)
def test_a_secret_is_masked_and_the_rest_of_the_text_stays(sample: Sample) -> None:
    before, after = sample.text.split(sample.secret)
    masked, found = mask(sample.text)
    assert masked == f"{before}[masked: {sample.kind}]{after}"
    assert [one.kind for one in found] == [sample.kind]


@pytest.mark.parametrize("sample", SAMPLES, ids=name_of)
def test_nothing_is_left_to_be_found_in_what_was_masked(sample: Sample) -> None:
    assert find_secrets(str(mask(sample.text)[0])) == []


def test_every_kind_has_a_sample_and_there_are_many() -> None:
    assert {sample.kind for sample in SAMPLES} == set(KINDS)
    assert len(KINDS) >= 60


def test_several_secrets_in_one_text_are_all_found_in_their_order() -> None:
    chosen = [sample for sample in SAMPLES if sample.text.startswith("여기에")][::7]
    text = "\n".join(sample.text for sample in chosen)
    found = [(one.kind, text[one.start : one.end]) for one in find_secrets(text)]
    assert found == [(sample.kind, sample.secret) for sample in chosen]


def test_a_token_inside_a_longer_word_is_none() -> None:
    inside = token("aws_access_key", "AKIA", 16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ").secret
    assert find_secrets(f"see {inside} there") != []
    assert find_secrets(f"see x{inside} there") == []
    assert find_secrets(f"see {inside}Z there") == []


def test_a_secret_stands_at_the_same_place_behind_letters_of_any_script() -> None:
    secret = token("github", "ghp" + "_", 36).secret
    for before in ("", "비밀: ", "İİ̇ß ", "𝒜𝒷 ", "пароль\n", "\ud800 "):
        found = find_secrets(f"{before}{secret}!")
        assert [(one.start, one.end) for one in found] == [(len(before), len(before + secret))]


PLACEHOLDERS = """
postgres://user:password@localhost/db
postgres://postgres:postgres@localhost:5432/postgres
https://<user>:<password>@example.com
https://user:${PASSWORD}@example.com
https://user:$PASSWORD@example.com
https://$USER:$(cat pw)@host
https://user:{password}@host
https://user:***@host
https://user:xxxx@host
https://user:PASSWORD@host
mailto:someone@example.com
http://localhost:8080/a@b
ssh://git@host:22/x.git
cvs://:pserver:anoncvs@sources.example.com
password = "password"
password = "changeme"
password = "your-password-here"
password = "********"
password = "${DB_PASSWORD}"
password = "<insert here>"
password = os.environ["DB_PASSWORD"]
password = getpass.getpass()
password: str = field(default="")
password = config.database_password1
self.password = password2
token = next_token(stream1)
token = "access_token"
token_type = "Bearer"
api_key = "my-api-key-1"
api_key: ${{ secrets.API_KEY }}
api_key = "arn:aws:secretsmanager:eu-1:123456789012:secret:x"
secret: op://vault/item/field
max_tokens = 4096
next_page_token = "CAEQAA1234567890abcdef12"
csrf_token = "CAEQAA1234567890abcdef12"
publicKeyToken="1fc8b3b9a1e18e3b"
secretName: my-database-credentials-v2
primary_key = "user_id_1234567890abcd"
Authorization: Bearer <token>
Authorization: Bearer $TOKEN
Authorization: Basic dXNlcjpwYXNzd29yZA==
curl -u user:password https://example.com
the --username and --password options can be used
-----BEGIN PRIVATE KEY-----
if "-----BEGIN RSA PRIVATE KEY-----" in text:
ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
sk-ant-api03-XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX
AKIAXXXXXXXXXXXXXXXX
"password": "비밀번호"
"password": "Mot de passe oublié"
the password is known to 소연 and nobody else
the password is required, and a password is hashed by argon2id
The password is base64-encoded, or the password is sha256 of it
비밀번호: ********
비밀번호: 8~16자리
비밀번호는 1Password에 있다
암호: AES-256-GCM
비번: ${PW}
pw=<password>
pw = self.width2
pw: 100px
login: ann / admin
계정: user1@example.com
로그인: OAuth2:PKCE
creds: user:password
Cookie: session=abc
Cookie: csrf_token=d41d8cd98f00b204e9800998
https://example.com/v1?api_key=YOUR_API_KEY
https://example.com/v1?access_token=${TOKEN}
otpauth://totp/Acme?secret=JBSWY3DPEHPK3PXP
passphrase: enter the words you chose before
seed phrase: write down twelve words and keep them where others cannot read them
mysql -u root -p
mysql -u root -p shop1
PASS: ld-x86-64/pr26263
"access_key": "AKIAIOSFODNN7EXAMPLE"
stripe.api_key = "sk_test_4eC39HqLyjWDarjtT1zdp7dc"
aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY
"""


@pytest.mark.parametrize("line", [line for line in PLACEHOLDERS.splitlines() if line])
def test_what_only_stands_for_a_secret_is_none(line: str) -> None:
    assert find_secrets(line) == []


PROSE = {
    "korean": "배포는 금요일에 하지 않는다(결정 0013, 담당: 소연). 비밀번호는 금고에 둔다.",
    "english": "We rotate the API keys every 90 days; token: in the vault, key: see page 12.",
    "german": "Donaudampfschifffahrtsgesellschaftspatent: Schlüssel=Wert, Passwort vergessen?",
    "japanese": "本番の認証情報はボールトにあります。キー：値、トークンは一時間で切れる。",
    "russian": "Пароль не хранится в базе: только ссылка на хранилище; ключ=значение.",
    "arabic": "لا نحفظ كلمات المرور هنا؛ المفتاح: القيمة.",
    "thai": "รหัสผ่านอยู่ในตู้นิรภัย token: หมดอายุใน 1 ชั่วโมง",
    "hindi": "पासवर्ड यहाँ नहीं रखा जाता: कुंजी = मान।",
}


@pytest.mark.parametrize("language", PROSE)
def test_prose_of_any_language_raises_no_alarm(language: str) -> None:
    assert find_secrets(PROSE[language] * 3) == []


def machine_made() -> dict[str, str]:
    """Return what machines write that is no secret, a hundred of each."""
    random = Random(7)
    noise = [random.randbytes(64) for _ in range(100)]
    shas = [sha1(one).hexdigest() for one in noise]
    digests = [sha256(one).hexdigest() for one in noise]
    coded = [b64encode(sha256(one).digest()).decode() for one in noise]
    return {
        "git commits": "\n".join(f"commit {one}\nMerge: {one[:7]} {one[7:14]}" for one in shas),
        "image digests": "\n".join(f"FROM ghcr.io/a/b@sha256:{one}" for one in digests),
        "uuids": "\n".join(f'"id": "{UUID(bytes=one[:16])}"' for one in noise),
        "etags": "\n".join(f'ETag: W/"{one[:32]}"' for one in digests),
        "pip hashes": "\n".join(f"x==1.2 \\\n    --hash=sha256:{one}" for one in digests),
        "npm hashes": "\n".join(f'"integrity": "sha512-{one}",' for one in coded),
        "cargo hashes": "\n".join(f'checksum = "{one}"' for one in digests),
        "go sums": "\n".join(f"example.com/a v1.2.{n} h1:{one}" for n, one in enumerate(coded)),
        "wheel records": "\n".join(f"a/{n}.py,sha256={one},12" for n, one in enumerate(coded)),
        "subresources": "\n".join(f'<script integrity="sha384-{one}">' for one in coded),
        "images": "data:image/png;base64," + b64encode(b"".join(noise)).decode(),
        "public keys": "\n".join(f"ssh-ed25519 AAAAC3NzaC1lZDI1{one} x@y" for one in coded),
        "certificates": "\n".join(["-----BEGIN CERTIFICATE-----", *coded, "-----END"]),
        "hex dumps": "\n".join(one.hex(" ") for one in noise),
        "trace ids": "\n".join(f"traceparent: 00-{one[:32]}-{one[:16]}-01" for one in digests),
    }


@pytest.mark.parametrize(("what", "text"), machine_made().items())
def test_what_machines_write_is_no_secret_for_being_random(what: str, text: str) -> None:
    assert find_secrets(text) == [], what


@pytest.mark.slow
def test_the_files_of_this_repository_raise_no_alarm() -> None:
    paths = [
        path
        for folder in ("src", "bench", "docs", "tests/unit", "tests/contract", "tests/property")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".py", ".md", ".sql", ".toml") and path.is_file()
    ]
    assert len(paths) > 200
    alarms = [
        f"{path.relative_to(ROOT)}: {one.kind}"
        for path in [*paths, ROOT / "requirements.lock", ROOT / "CHANGELOG.md"]
        for one in find_secrets(path.read_text(encoding="utf-8"))
        if not is_example(path.read_text(encoding="utf-8")[one.start : one.end])
    ]
    assert alarms == []


def is_example(text: str) -> bool:
    """Whether it is one of the few passwords that the documentation shows on purpose."""
    return text.startswith(("tr0ub4dor", "hunter2", "s3cr3t"))


@pytest.mark.slow
@pytest.mark.parametrize("distribution", ["click", "pytest", "hypothesis", "pip", "msgspec"])
def test_the_code_of_others_raises_no_alarm(distribution: str) -> None:
    size, alarms = 0, []
    for file in files(distribution) or []:
        path = Path(str(file.locate()))
        if path.suffix in (".py", ".md", ".txt", ".pyi") or path.name in ("METADATA", "RECORD"):
            text = path.read_text(encoding="utf-8", errors="replace")
            size += len(text)
            alarms += [f"{file}: {text[one.start : one.end]}" for one in find_secrets(text)]
    assert size > 20_000
    assert alarms == []


def test_no_text_makes_the_search_slow_out_of_proportion() -> None:
    # Each of these made an earlier pattern go back and forth for seconds.
    for piece in (
        "A",
        "a-",
        "password",
        "key=",
        "://a:",
        "sk-",
        "-----BEGIN ",
        "eyJ.",
        "%2F",
        "\n",
    ):
        text = piece * (60_000 // len(piece))
        assert find_secrets(text) == [], piece


def test_a_finding_has_no_room_for_the_secret() -> None:
    secret = letters("room", 36)
    (found,) = find_secrets(f"npm_{secret}")
    assert secret not in repr(found)
    assert re.fullmatch(r"Finding\(kind='npm_token', start=0, end=40\)", repr(found))


def cpu_seconds(text: str) -> float:
    """Return the CPU time that looking through a text takes: the best of three."""
    best = float("inf")
    for _ in range(3):
        begun = process_time()
        find_secrets(text)
        best = min(best, process_time() - begun)
    return best


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece",
    [
        *("postgres://a:hunter2@h/서울\n", "pa-", "-----BEGIN " + "PRIVATE KEY-----A: ", "pwd="),
        *('"kty"', "PuTTY-User-Key-File-3", 'pass="aaaaaaaa', "curl -u", "secret_"),
    ],
)
def test_four_times_the_text_takes_about_four_times_the_work(piece: str) -> None:
    # Comparing each finding with all others, or looking ahead to the end of the text for each
    # place, takes sixteen times as long.
    few, many = (cpu_seconds(piece * (size // len(piece))) for size in (20_000, 80_000))
    assert many < 9 * few + 0.02


def test_each_of_thousands_of_secrets_is_masked() -> None:
    text = "\n".join(f"postgres://a{n}:bQ{n}x9z@h/{n}" for n in range(5_000))
    masked, found = mask(text)
    assert len(found) == 5_000
    assert masked == "\n".join(
        f"postgres://a{n}:[masked: url_password]@h/{n}" for n in range(5_000)
    )
