"""Whether a text is a literal password or token, or a placeholder for one."""

import re

# Patterns are compiled when they are first used, and kept by `re`: it takes milliseconds. Names
# whose value is a password; it may be one that a user made up.
_HUMAN_NAMES = r"(?i)(?:passw(?:or)?d|passphrase|passcode|pwd|(?<![a-z])pass)$"
# Names whose value is a key that a machine made up.
_MACHINE_NAMES = (
    r"(?i)(?:secret|token|credentials?|(?:api|access|secret|private|auth|encryption|signing"
    r"|master|account|service|app|client|shared|storage|webhook|license|admin|x)"
    r"[_-]?(?:secret[_-]?)?key(?:[_-]?(?:secret|value|base))?)$"
)
# Names that end like one and are none: places in a list, marks in a text, guards of a form.
_OTHERWISE = (
    r"(?i)(?:csrf|xsrf|next|page|continuation|sync|cursor|stop|start|end|special|pad|mask|eos|bos"
    r"|unk|sep|cls|cancellation|cancel|resume|fencing|lease|push|device|idempotency|request|image"
    r"|public[_-]?key|public|design|input|output|delimiter|separator|syntax)[_-]?token$"
)

# What begins a reference, a template, a mask or a call.
_REFERENCE = (
    r"[$<{\[(%*@&!](?!\d)|(?i:env[.:(]|os\.|process\.|secrets?[.:/]|vault[.:/]|ref[+:]|arn:|op://"
    r"|file:|https?:|ssm:|sops|enc[:(\[]|projects/|keyring:|var\.|data\.|local\.|config\.|self\."
    r"|this\.|settings\.|urn:|sha\d*[:-])|[./~]"
)
# For a text in small letters: regardless of case, the search would take ten times as long.
_STANDS_FOR = (
    r"\$\{|\{\{|\{[a-z_.]{0,40}\}|%\(|<|>|\*\*\*|\.\.\.|…|xxx|\[masked|\(\)|change.?me|replace.?me"
    r"|placeholder|redacted|dummy|example|sample|your|insert|todo|fixme|foo.?bar|fake|undefined"
    r"|pass.?word|passwd|secret|token|credential|api.?key|0123456789|1234567890"
)
_EXAMPLES = frozenset(
    "password passwd pass pw pwd secret user username postgres root admin mysql guest test token "
    "localhost redis rabbitmq mypass mypassword pass1 pass123 password123 foo bar baz changeme "
    "your-password your_password example placeholder redacted hidden none null".split()
)
# Stripe's documentation signs its examples with this key, which opens nothing. In two parts,
# so that programs that look for keys do not take this line for one.
DOCUMENTED_KEYS = frozenset({"sk_test_" + "4eC39HqLyjWDarjtT1zdp7dc"})
# Words of a name, each with a number of two digits at most.
_WORDY = r"(?:[A-Za-z]+\d{0,2}|\d+)(?:[-_./:@+ ](?:[A-Za-z]+\d{0,2}|\d+))*"
_DIGIT = r"\d"
_LETTER = r"[A-Za-z]"
_SYMBOL = r"[!#$%^&*?+~|;]"

# What is said about a password in place of it: how it is hashed, coded or counted.
_TECHNICAL = (
    r"(?i:sha|md|base|utf|rfc|iso|aes|argon|pbkdf|latin|ascii|rot|des|crypt|bcrypt|scrypt|blake)"
    r"[-_]?\w{0,12}(?:[-_.:]\w{1,12})*|[\d.,~+-]+[A-Za-z%]{0,12}|v?\d+(?:\.\w+)*|0x[0-9a-fA-F]+"
    r"|[\w.]+=.*|\w+://.*|[\w/-]*\.[a-z]{2,4}"
)

SPOKEN_LETTERS_MIN = 6
PASSWORD_LETTERS_MIN = 8
KEY_LETTERS_MIN = 16
LETTERS_MAX = 512


def names_secret(name: str) -> str | None:
    """Return what the name of a field says about its value: password, key, or nothing."""
    if re.search(_HUMAN_NAMES, name):
        return "password"
    if re.search(_MACHINE_NAMES, name) and not re.search(_OTHERWISE, name):
        return "key"
    return None


def is_password(text: str) -> bool:
    """Whether a text beside the word password is one, by its shape."""
    if not PASSWORD_LETTERS_MIN <= len(text) <= LETTERS_MAX or stands_for_one(text):
        return False
    has_letter, has_digit = bool(re.search(_LETTER, text)), bool(re.search(_DIGIT, text))
    return has_letter and (has_digit or bool(re.search(_SYMBOL, text)))


def is_key(text: str) -> bool:
    """Whether a text beside the word token or key is one: letters and digits, no words."""
    return (
        KEY_LETTERS_MIN <= len(text) <= LETTERS_MAX
        and not stands_for_one(text)
        and bool(re.search(_LETTER, text))
        and bool(re.search(_DIGIT, text))
        and not re.fullmatch(_WORDY, text)
    )


def is_spoken_password(text: str) -> bool:
    """Whether a word in a sentence, behind a label such as "the password is", is a password.

    It has letters and digits, and is no name of a format, no version and no list of words.
    """
    word = text.strip("*_").rstrip(".?!:…")
    if not SPOKEN_LETTERS_MIN <= len(word) <= LETTERS_MAX or stands_for_one(word):
        return False
    if not re.search(_LETTER, word) or not re.search(_DIGIT, word):
        return False
    is_listed = bool(re.search(r"[-_./:@+=]", word)) and bool(re.fullmatch(_WORDY, word))
    return not is_listed and not re.fullmatch(_TECHNICAL, word)


def is_example(text: str) -> bool:
    """Whether a text is what authors write for a password in an example."""
    return text.lower() in _EXAMPLES


def stands_for_one(text: str) -> bool:
    """Whether a text is a placeholder, a reference or a mask, which gives access to nothing."""
    if re.match(_REFERENCE, text) or re.search(_STANDS_FOR, text.lower()):
        return True
    if text in DOCUMENTED_KEYS:
        return True
    return len(set(text)) < 4 or any(letter.isspace() for letter in text)
