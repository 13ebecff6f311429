"""What a replica knows: updates by themselves, within larger ones, and deletions."""

from strata.documents.text import KnownUpdates, Replica, Splice


def test_an_update_is_known_once_it_was_taken_in_with_others() -> None:
    author, reader = Replica(), Replica()
    first = author.splice([Splice(0, 0, "안녕 👋 세계")])
    second = author.splice([Splice(2, 2, "!")])
    assert not KnownUpdates(reader).has(first)
    reader.apply(author.state())
    assert KnownUpdates(reader).has(first)
    assert KnownUpdates(reader).has(second)
    assert not KnownUpdates(reader).has(author.splice([Splice(0, 0, "더")]))


def test_a_deletion_is_known_only_where_all_of_it_is_gone() -> None:
    author = Replica()
    author.splice([Splice(0, 0, "가나다라마바")])
    reader = Replica(state=author.state())
    middle = author.splice([Splice(2, 4, "")])
    assert not KnownUpdates(reader).has(middle)
    reader.splice([Splice(2, 3, "")])
    assert not KnownUpdates(reader).has(middle)
    reader.splice([Splice(2, 3, "")])
    assert KnownUpdates(reader).has(middle)
