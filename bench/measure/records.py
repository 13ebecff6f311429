"""The data of the benchmarks: small JSON records as an agent would keep them."""

import random

import msgspec

import strata

Record = dict[str, strata.Json]

_WORDS = (
    "the review of release notes asked for a shorter summary and two links deploy window moved"
    " to Thursday because staging was busy customer reported slow export on large accounts"
    " index rebuilt owner agreed to retry tomorrow 배포 일정 검토 결과를 회의에서 다시 확인했다"
    " 고객 요청 지연 원인 Prüfung abgeschlossen Frist verlängert réunion déplacée au lundi"
).split()
_OWNERS = ("soyeon", "amir", "지훈", "ops", "release-agent")
_STATES = ("open", "waiting", "done")
_SIZE_BYTES_MIN = 150


def key(number: int) -> str:
    """Return the key of a record; neighbours in number lie far apart in order."""
    return f"proj/{number % 1000:03d}/item-{number:07d}"


def records(count: int, seed: int = 7) -> list[Record]:
    """Return different records of 150 to 165 bytes of JSON, the same ones at every run."""
    rng = random.Random(seed)
    return [_record(number, rng) for number in range(count)]


def _record(number: int, rng: random.Random) -> Record:
    record: Record = {
        "id": number,
        "owner": rng.choice(_OWNERS),
        "state": rng.choice(_STATES),
        "score": round(rng.random(), 3),
    }
    words: list[str] = []
    while len(msgspec.json.encode({**record, "note": " ".join(words)})) < _SIZE_BYTES_MIN:
        words.append(rng.choice(_WORDS))
    return {**record, "note": " ".join(words)}
