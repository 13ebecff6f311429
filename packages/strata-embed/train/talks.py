"""Conversations and questions that were written for training, and their form.

python talks.py join FOLDER talks.txt.xz    puts a folder of folders of such texts into one file
python talks.py check talks.txt.xz          says what is wrong in it, and what there is

A text is a conversation: `@ DATE TIME` begins a session, `NAME: what was said {n}` is a message, of
which the marks name those that some question needs, and `? 1,2 | question` comes at the end.
"""

import collections, lzma, re, sys
from pathlib import Path
from typing import NamedTuple


class Talk(NamedTuple):
    name: str
    sessions: list  # (when, [(who, what)])
    marks: dict  # mark: (session, message)
    questions: list  # ([marks], question)
    problems: list


def talks(path):
    """Yield every conversation of a file, those of one author behind each other."""
    for part in lzma.open(path, "rt", encoding="utf-8").read().split("\n# ")[1:]:
        name, _, text = part.partition("\n")
        yield _read(name, text)


def _read(name, text):
    talk = Talk(name, [], {}, [], [])
    for number, line in enumerate(map(str.strip, text.splitlines()), 1):
        problem = _take(talk, line) if line else None
        if problem:
            talk.problems.append(f"{number}: {problem}: {line[:60]!r}")
    for need, question in talk.questions:
        talk.problems.extend(f"{question!r} needs {n}" for n in need if n not in talk.marks)
    used = {n for need, _ in talk.questions for n in need}
    talk.problems.extend(f"no question needs {n}" for n in talk.marks if n not in used)
    return talk


def _take(talk, line):
    if line.startswith("@"):
        if not re.fullmatch(r"@ \d{4}-\d\d-\d\d( \d\d:\d\d)?", line):
            return "no session"
        talk.sessions.append((line[2:], []))
    elif line.startswith("?"):
        found = re.fullmatch(r"\? ([\d, ]+)\| ?(.+)", line)
        if not found:
            return "no question"
        talk.questions.append(([int(n) for n in re.findall(r"\d+", found[1])], found[2].strip()))
    else:
        found = re.fullmatch(r"([^:{}]{1,40}): (.+?)((?:\s*\{\d+\})*)", line)
        if not found or not talk.sessions:
            return "no message"
        messages = talk.sessions[-1][1]
        for mark in map(int, re.findall(r"\{(\d+)\}", found[3])):
            if mark in talk.marks:
                return "a mark twice"
            talk.marks[mark] = len(talk.sessions) - 1, len(messages)
        messages.append((found[1].strip(), found[2].strip()))
    return None


def join(folder, path):
    with lzma.open(path, "wt", encoding="utf-8", preset=9 | lzma.PRESET_EXTREME) as out:
        for author in sorted(p for p in folder.iterdir() if p.is_dir()):
            for file in sorted(author.glob("*.txt")):
                out.write(f"\n# {author.name}/{file.stem}\n{file.read_text('utf-8').strip()}\n")


def check(path):
    total = collections.Counter()
    for talk in talks(path):
        for problem in talk.problems:
            print(talk.name, problem)
        said = [what for _, messages in talk.sessions for _, what in messages]
        total.update(talks=1, sessions=len(talk.sessions), messages=len(said))
        total.update(questions=len(talk.questions), words=sum(len(one.split()) for one in said))
    print(dict(total))


if __name__ == "__main__":
    if sys.argv[1] == "join":
        join(Path(sys.argv[2]), Path(sys.argv[3]))
    else:
        check(Path(sys.argv[2]))
