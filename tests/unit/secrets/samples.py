"""Made-up secrets of every kind, put together when the tests run.

No line here is a secret for anybody who scans the repository: beginnings and rest meet only
in memory. What is random comes from the name of the kind, so every run has the same.
"""

import json
import string
from base64 import b64encode, urlsafe_b64encode
from hashlib import sha256
from random import Random
from typing import NamedTuple
from zlib import crc32

HEX = "0123456789abcdef"
BASE32 = string.ascii_uppercase + "234567"
BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
BASE64 = BASE62 + "+/"
URL = BASE62 + "-_"
BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"


class Sample(NamedTuple):
    """A secret of a kind, and a text that it stands in."""

    kind: str
    secret: str
    text: str


def letters(kind: str, length: int, alphabet: str = BASE62) -> str:
    """Return letters as a machine makes them: of several sorts, and no word."""
    random = Random(f"{kind}/{length}/{alphabet}")
    found = "".join(random.choice(alphabet) for _ in range(length))
    # The first and the last letter are plain ones, so that the place of the token is clear.
    plain = [letter for letter in alphabet if letter.isalnum()]
    return random.choice(plain) + found[1:-1] + random.choice(plain) if length > 1 else found


def token(kind: str, head: str, length: int, alphabet: str = BASE62, tail: str = "") -> Sample:
    secret = head + letters(kind, length, alphabet) + tail
    return Sample(kind, secret, f"여기에 {secret} 을 두었다")


def uuid(kind: str) -> str:
    return "-".join(letters(f"{kind}{n}", n, HEX) for n in (8, 4, 4, 4, 12))


def with_checksum(kind: str, head: str) -> Sample:
    """Return a token of GitHub or npm: thirty letters and their CRC32 in six more."""
    body = letters(kind, 30)
    number, check = crc32(body.encode()), ""
    while number:
        number, rest = divmod(number, 62)
        check = BASE62[rest] + check
    return Sample(
        kind, head + body + check.rjust(6, "0"), f"key: {head}{body}{check.rjust(6, '0')}"
    )


def armoured(kind: str, name: str) -> Sample:
    body = "\n".join(letters(f"{kind}{n}", 64, BASE64) for n in range(6))
    secret = f"-----BEGIN {name}-----\n{body}\n-----END {name}-----"
    return Sample(kind, secret, f"put this in a file:\n{secret}\nand go on")


def jwt() -> Sample:
    parts = ({"alg": "HS256", "typ": "JWT"}, {"sub": "1", "name": "소연"})
    coded = [urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts]
    secret = ".".join([*coded, letters("jwt", 43, URL)])
    return Sample("jwt", secret, f"Cookie: session={secret}; path=/")


def age() -> Sample:
    """Return an identity of age, which is bech32 with a checksum of six letters."""
    head = "age-secret-key-"
    data = [BECH32.index(letter) for letter in letters("age", 52, BECH32)]
    values = [ord(letter) >> 5 for letter in head] + [0] + [ord(letter) & 31 for letter in head]
    check = 1
    for value in [*values, *data, 0, 0, 0, 0, 0, 0]:
        top, check = check >> 25, (check & 0x1FFFFFF) << 5 ^ value
        for bit, generator in enumerate(
            (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)
        ):
            check ^= generator if top >> bit & 1 else 0
    tail = [(check ^ 1) >> 5 * (5 - place) & 31 for place in range(6)]
    secret = f"{head}1{''.join(BECH32[value] for value in data + tail)}".upper()
    return Sample("age_secret_key", secret, f"# created today\n{secret}\n")


def wallet() -> Sample:
    """Return an extended private key, which is base58 with a checksum of four bytes."""
    data = bytes.fromhex("0488ade4") + sha256(b"wallet").digest() * 3
    data = data[:78]
    number = int.from_bytes(data + sha256(sha256(data).digest()).digest()[:4], "big")
    secret = ""
    while number:
        number, rest = divmod(number, 58)
        secret = BASE58[rest] + secret
    return Sample("wallet_private_key", secret, f"master {secret}")


def within(kind: str, before: str, secret: str, after: str = "") -> Sample:
    return Sample(kind, secret, before + secret + after)


def login(kind: str) -> str:
    return b64encode(f"deploy:{letters(kind, 12)}".encode()).decode()


def keys_and_tokens() -> list[Sample]:
    return [
        jwt(),
        age(),
        wallet(),
        armoured("private_key", "RSA PRIVATE KEY"),
        armoured("private_key", "EC PRIVATE KEY"),
        armoured("private_key", "PRIVATE KEY"),
        armoured("openssh_private_key", "OPENSSH PRIVATE KEY"),
        armoured("encrypted_private_key", "ENCRYPTED PRIVATE KEY"),
        armoured("pgp_private_key", "PGP PRIVATE KEY BLOCK"),
        within("wireguard_private_key", "[Interface]\nPrivateKey = ", letters("wg", 43) + "="),
        within(
            "jwk_private_key",
            '{"kty": "OKP", "crv": "Ed25519", "d": "',
            letters("j", 43, URL),
            '"}',
        ),
        within(
            "putty_private_key",
            "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPrivate-Lines: 1",
            "\n" + letters("putty", 64, BASE64),
            "\nPrivate-MAC: 00",
        ),
    ]


def of_models() -> list[Sample]:
    return [
        token("anthropic_key", "sk-ant-" + "api03-", 93, URL, "AA"),
        token("openai_key", "sk-" + "proj-", 120, URL),
        token("openai_key", "sk-", 48),
        token("openrouter_key", "sk-or-" + "v1-", 64, HEX),
        token("hex_model_key", "sk-", 32, HEX),
        token("langsmith_key", "lsv2_" + "pt_", 32, HEX, "_" + letters("ls", 10, HEX)),
        within("langfuse_key", "", "sk-" + "lf-" + uuid("lf")),
        token("huggingface_token", "hf" + "_", 34, string.ascii_letters),
        token("groq_key", "gsk" + "_", 52),
        token("xai_key", "xai" + "-", 80),
        token("perplexity_key", "pplx" + "-", 48),
        token("replicate_token", "r8" + "_", 37),
        token("nvidia_key", "nvapi" + "-", 64, URL),
        token("fireworks_key", "fw" + "_", 24),
        token("tavily_key", "tvly" + "-dev-", 32),
        token("pinecone_key", "pcsk" + "_4x2Yz_", 63),
        token("wandb_key", "wandb" + "_v1_", 72, URL),
        token("cerebras_key", "csk" + "-", 48, string.ascii_lowercase + string.digits),
        token("elevenlabs_key", "sk" + "_", 48, HEX),
        token("voyage_key", "pa" + "-", 43, URL),
    ]


def of_code() -> list[Sample]:
    lower = string.ascii_lowercase + string.digits
    return [
        *(with_checksum("github_token", f"gh{sort}_") for sort in "pour"),
        with_checksum("github_app_token", "ghs" + "_"),
        token("github_fine_token", "github" + "_pat_", 22, BASE62, "_" + letters("fine", 59)),
        token("gitlab_token", "glpat" + "-", 20, URL),
        token("gitlab_deploy_token", "gldt" + "-", 20, URL),
        token("gitlab_runner_token", "glrt" + "-", 20, URL),
        token("gitlab_runner_token", "GR" + "1348941", 20, URL),
        token("gitlab_ci_token", "glcbt" + "-64_", 20, URL),
        token("gitlab_trigger_token", "glptt" + "-", 40, HEX),
        token("gitlab_feed_token", "glft" + "-", 20, URL),
        token("gitlab_agent_token", "glagent" + "-", 50, URL),
        token("gitlab_app_secret", "gloas" + "-", 64, HEX),
        token("bitbucket_token", "ATBB", 32),
        token(
            "atlassian_token", "ATATT3" + "xFfGF0", 170, URL, "=" + letters("at", 8, HEX.upper())
        ),
        token("azure_artifacts_key", "", 76, BASE62, "AZDS" + letters("azds", 4)),
        with_checksum("npm_token", "npm" + "_"),
        token("pypi_token", "pypi" + "-AgEIcHlwaS5vcmc", 150, URL),
        token("rubygems_key", "rubygems" + "_", 48, HEX),
        token("crates_token", "cio", 32),
        token("nuget_key", "oy2", 43, lower),
        token("clojars_token", "CLOJARS" + "_", 60, lower),
        token("docker_token", "dckr" + "_pat_", 27, URL),
        token("artifactory_key", "AKCp", 69),
        token("circleci_token", "CCIPAT" + "_", 22, BASE62, "_" + letters("cci", 40, HEX)),
        token("buildkite_token", "bkua" + "_", 40, HEX),
        token("sonar_token", "squ" + "_", 40, HEX),
        token("sourcegraph_token", "sgp" + "_", 40, HEX),
        token("postman_key", "PMAK" + "-", 24, HEX, "-" + letters("pm", 34, HEX)),
        token("figma_token", "figd" + "_", 40, URL),
        token("linear_key", "lin_" + "api_", 40),
        token("notion_token", "ntn" + "_", 11, string.digits, letters("notion", 35)),
        token("notion_secret", "secret" + "_", 43),
        token("airtable_token", "pat", 14, BASE62, "." + letters("air", 64, HEX)),
        token("contentful_token", "CFPAT" + "-", 43, URL),
        token("readme_key", "rdme" + "_", 70, lower),
        token("typeform_token", "tfp" + "_", 44, URL),
        token("snyk_token", "snyk" + "_uat.", 8, lower, "." + letters("snyk", 60, URL)),
        within("semgrep_token", "SEMGREP_APP_TOKEN=", letters("semgrep", 64, HEX)),
        token("endor_key", "endr" + "+", 16),
        token(
            "harness_token", "pat" + ".", 22, URL, f".{letters('h', 24, HEX)}.{letters('h2', 20)}"
        ),
        token("infracost_key", "ico" + "-", 32),
    ]


def of_clouds() -> list[Sample]:
    return [
        *(token("aws_access_key", head, 16, BASE32) for head in ("AKIA", "ASIA")),
        within("aws_secret_key", "aws_secret_access_key = ", letters("aws", 40, BASE64)),
        token("aws_bedrock_key", "ABSK", 128, BASE64),
        token("google_api_key", "AI" + "za", 35, URL),
        token("google_oauth_secret", "GOCSPX" + "-", 28, URL),
        token("google_oauth_token", "ya29" + ".", 120, URL),
        token("google_refresh_token", "1/" + "/0", 60, URL),
        within(
            "azure_storage_key",
            "DefaultEndpointsProtocol=https;AccountName=docs;AccountKey=",
            letters("az", 86, BASE64) + "==",
            ";EndpointSuffix=core",
        ),
        within(
            "azure_shared_key", "Endpoint=sb://x/;SharedAccessKey=", letters("sb", 43, BASE64) + "="
        ),
        within(
            "azure_config_secret", "Endpoint=https://x;Id=a-b:c;Secret=", letters("ac", 43) + "="
        ),
        within("azure_sas_signature", "https://x/y?sv=2024&sig=", letters("sas", 43) + "%3D"),
        token("azure_client_secret", "abc8" + "Q~", 34, URL),
        token("azure_devops_token", "", 76, BASE62, "AZDO" + letters("azdo", 4)),
        token("alibaba_access_key", "LTAI", 20),
        token("tencent_secret_id", "AKID", 32),
        token("digitalocean_token", "dop" + "_v1_", 64, HEX),
        token("heroku_key", "HRKU" + "-AA", 58, URL),
        token("cloudflare_token", "cfut" + "_", 48),
        token("cloudflare_origin_key", "v1" + ".0-", 24, HEX, "-" + letters("cf", 146, HEX)),
        token("fly_token", "fm2" + "_", 180, BASE64),
        token("vercel_token", "vcp" + "_", 56),
        token("netlify_token", "nfp" + "_", 36),
        token("render_key", "rnd" + "_", 28),
        token("supabase_token", "sbp" + "_", 40, HEX),
        token("supabase_secret_key", "sb_" + "secret_", 31, URL),
        token("planetscale_password", "pscale" + "_pw_", 43, URL),
        token("databricks_token", "dapi", 32, HEX),
        token("snowflake_token", "ver:1-" + "hint:1234-ETMsDgAAA", 150),
        token("vault_token", "hvs" + ".", 95, URL),
        token("terraform_token", letters("tf", 14) + ".atlas" + "v1.", 67, URL),
        token("pulumi_token", "pul" + "-", 40, HEX),
        token("doppler_token", "dp" + ".st.prd.", 43),
        token("onepassword_token", "ops" + "_eyJ", 300),
        token("tailscale_key", "tskey" + "-auth-", 12, BASE62, "-" + letters("ts", 32)),
        token("grafana_token", "glsa" + "_", 32, BASE62, "_" + letters("gl", 8, HEX)),
        token("grafana_cloud_token", "glc" + "_eyJ", 120),
        token("newrelic_key", "NRAK" + "-", 27, string.ascii_uppercase + string.digits),
        token("dynatrace_token", "dt0c01" + ".", 24, BASE32, "." + letters("dt", 64, BASE32)),
        token("sentry_token", "sntryu" + "_", 64, HEX),
        within(
            "launchdarkly_key",
            "",
            "sdk-" + letters("ld", 8, HEX) + "-1234-4abc-9def-" + letters("l", 12, HEX),
        ),
        within("fastly_token", "fastly_key: ", letters("fastly", 32, URL)),
        token("confluent_secret", "cflt", 60),
        token("prefect_key", "pnu" + "_", 36),
        token("scaleway_key", "SCW", 17, string.ascii_uppercase + string.digits),
    ]


def of_services() -> list[Sample]:
    bot = b64encode(b"123456789012345678").decode()
    return [
        token("slack_token", "xox" + "b-123456789012-123456789012-", 24),
        token("slack_app_token", "xapp" + "-1-A0123ABCD-1234567890-", 64, HEX),
        within(
            "slack_webhook",
            "https://hooks.slack.com/",
            "services/T0123ABCD/B0123ABCD/" + letters("s", 24),
        ),
        token("discord_bot_token", bot + ".Gh1jKl.", 38, URL),
        within(
            "discord_webhook",
            "https://discord.com/api/webhooks/",
            "123456789012345678/" + letters("d", 68, URL),
        ),
        token("telegram_bot_token", "1234567890" + ":AA", 33, URL),
        within(
            "teams_webhook",
            "https://contoso.webhook.office.com/",
            f"webhookb2/{uuid('a')}@{uuid('b')}/IncomingWebhook/"
            f"{letters('t', 32, HEX)}/{uuid('c')}",
        ),
        token("twilio_key", "SK", 32, HEX),
        token("sendgrid_key", "SG" + ".", 22, URL, "." + letters("sg", 43, URL)),
        token("mailgun_key", "key" + "-", 32, HEX),
        within(
            "mailgun_sending_key",
            "mailgun: ",
            f"{letters('m', 32, HEX)}-{letters('m', 8, HEX)}-{letters('n', 8, HEX)}",
        ),
        within("mailchimp_key", "", letters("mc", 32, HEX), "-us12"),
        token("brevo_key", "xkeysib" + "-", 64, HEX, "-" + letters("brevo", 16)),
        token("resend_key", "re" + "_", 8, BASE62, "_" + letters("re", 24)),
        *(token("stripe_key", f"{sort}_live_", 24) for sort in ("sk", "rk")),
        token("stripe_webhook_secret", "whsec" + "_", 32),
        token("square_token", "sq0" + "atp-", 22, URL),
        token("square_access_token", "EAAA", 60, URL),
        token(
            "paypal_braintree_token",
            "access_" + "token$production$",
            16,
            HEX,
            "$" + letters("pp", 32, HEX),
        ),
        within("plaid_token", "", "access-" + "production-" + uuid("plaid")),
        token("flutterwave_key", "FLWSECK" + "_TEST-", 32, HEX, "-X"),
        *(token("shopify_token", f"shp{sort}_", 32, HEX) for sort in ("at", "ca", "pa", "ss")),
        token("shippo_token", "shippo" + "_live_", 40, HEX),
        token("easypost_key", "EZAK", 54),
        token("facebook_token", "EAA" + "C", 160),
        token("twitter_bearer", "A" * 21, 24, BASE62, "%2F" + letters("tw", 60)),
        token("dropbox_token", "sl" + ".", 140, URL),
        within("hubspot_token", "", "pat-" + "na1-" + uuid("hub")),
        token("mapbox_secret", "sk" + ".eyJ", 80, URL, "." + letters("mb", 22, URL)),
        within("sinch_webex_token", "WEBEX_BOT=", f"{letters('w', 64)}_PF84_{uuid('w')}"),
        token("lob_key", "live" + "_", 35, HEX),
    ]


def of_people() -> list[Sample]:
    """Return what people choose: passwords and keys in the places where they are used."""
    password = "tr0ub" + "4dor&3"
    return [
        within("url_password", "postgres://app:", "tr0ub" + "4dor", "@db.example.com:5432/app"),
        within("url_password", "redis://:", "hun" + "ter2", "@cache/0"),
        within(
            "url_password", "mongodb+srv://소연:", password, "@cluster0.example.net/test?w=majority"
        ),
        within(
            "url_password", "git clone https://bot:", "s3" + "cr3t-w0rd", "@git.example.com/a.git"
        ),
        within(
            "connection_password",
            "Server=db;Database=app;User Id=sa;Password=",
            password,
            ";Encrypt=true",
        ),
        within("connection_password", "host=db user=app password=", password, " dbname=app"),
        within("basic_authorization", "Authorization: Basic ", login("basic")),
        within(
            "bearer_authorization",
            "curl -H 'Authorization: Bearer ",
            letters("bearer", 40),
            "' https://x",
        ),
        within("docker_login", '{"auths": {"https://x": {"auth": "', login("docker"), '"}}}'),
        within("netrc_password", "machine git.example.com login bot password ", password),
        within("npmrc_token", "//npm.example.com/:_authToken=", letters("npmrc", 36)),
        within("command_password", "curl -u bot:", password, " https://x"),
        within("command_password", "PGPASSWORD=", password, " psql -h db"),
        within("command_password", "sshpass -p ", "tr0ub" + "4dor", " ssh root@x"),
        within("command_password", "login --password=", password, " --verbose"),
        within("assigned_secret", 'DB_PASSWORD = "', password, '"'),
        within("assigned_secret", "const apiKey = '", letters("api", 32), "';"),
        within("assigned_secret", '{"client_secret": "', letters("client", 40, URL), '"}'),
        within("assigned_secret", 'password: str = "', "correct" + "Horse9", '"'),
        within("assigned_secret", '<add key="MailPassword" value="', password, '"/>'),
        within("assigned_secret", "'secret' => '", letters("php", 24), "',"),
        within("setting_secret", "DEBUG=1\nDB_PASSWORD=", "tr0ub" + "4dor3", "\nPORT=1"),
        within("setting_secret", "db:\n  user: app\n  password: ", "tr0ub" + "4dor3", "\n"),
        within("setting_secret", "export API_TOKEN=", letters("env", 40)),
    ]


def of_notes() -> list[Sample]:
    """Return what people note: in sentences, messages, commands and addresses."""
    password = "tr0ub" + "4dor9"
    words = "legal winner thank year wave sausage worth useful legal winner thank yellow"
    otp = letters("otp", 32, BASE32)
    return [
        within("noted_password", "서버 비밀번호: ", password, "\n"),
        within("noted_password", "암호: `", password, "`"),
        within("noted_password", "- **비번:** ", password),
        within("noted_password", "와이파이 비밀번호는 ", password, " 입니다"),
        within("noted_password", "The password is ", password, ", ask 소연."),
        within("noted_password", "db pw=", password, " on port 5432"),
        within("noted_login", "login: ann / ", password),
        within("noted_login", "creds: ann:", password, " (staging)"),
        within("noted_login", "계정: soyeon@example.com / ", password),
        within("otp_secret", "otpauth://totp/Acme:ann?secret=", otp, "&issuer=Acme"),
        within("url_token", "curl 'https://x.example/v1?api_key=", letters("u", 32), "&q=1'"),
        within("url_token", "https://x.example/me?fields=id&access_token=", letters("a", 40)),
        within("session_cookie", "Cookie: theme=dark; sessionid=", letters("sid", 32)),
        within("session_cookie", "strata_session=", letters("ss", 43, URL), "; Path=/"),
        within("setting_secret", "call it with WEATHER_API_KEY=", uuid("w"), " as header"),
        within("setting_secret", "SECRET_KEY_BASE=", letters("rails", 128, HEX)),
        within("command_password", "mysql -u root -p", password, " shop < dump.sql"),
        within("naver_client_secret", "X-Naver-Client-Secret: ", letters("naver", 10)),
        within("seed_phrase", "seed phrase: ", words),
        within("seed_phrase", "passphrase: ", "correct horse" + " battery staple", "\n"),
        within("password_hash", "ann:", "$apr1$" + letters("salt", 8) + "$" + letters("h", 22)),
        within("password_hash", "ann:", "$2y$05$" + letters("bc", 53), "\nbob:x"),
        token("notion_token", "ntn" + "_", 46),
    ]


SAMPLES = (
    *keys_and_tokens(),
    *of_models(),
    *of_code(),
    *of_clouds(),
    *of_services(),
    *of_people(),
    *of_notes(),
)
