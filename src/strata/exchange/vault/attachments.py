"""Files of a vault that are no notes: kept with the folder that the vault was imported into."""

from hashlib import sha256
from pathlib import PurePosixPath
from typing import cast

import msgspec

from strata.base.errors import InvalidArgument, LimitExceeded
from strata.base.values import Json, encode
from strata.documents import FILE, IMAGE, SPACE, image_id, inspect
from strata.store import DELETED, Snapshot, StagedChange, damaged, value_of


class VaultFile(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A file of a vault; `blob` is what its bytes are known by."""

    vault: str
    path: str
    blob: str
    bytes: int
    media_type: str = ""
    width: int | None = None
    height: int | None = None

    @property
    def name(self) -> str:
        """What the file is called."""
        return PurePosixPath(self.path).name

    @property
    def is_image(self) -> bool:
        """Whether it is a picture that can be shown."""
        return bool(self.media_type)

    def key(self, folder: str) -> str:
        """Return what its record is kept under; paths may be too long for that."""
        mark = sha256(f"{self.vault}/{self.path}".encode()).hexdigest()[:16]
        return f"{folder}/{self.blob}/{mark}"


def describe(
    vault: str, path: PurePosixPath, data: bytes, *, known: VaultFile | None = None
) -> VaultFile:
    """Return what a file is; what is known of the same bytes need not be found out again."""
    file = VaultFile(vault=vault, path=path.as_posix(), blob=image_id(data), bytes=len(data))
    if known is not None and known.blob == file.blob:
        return msgspec.structs.replace(known, path=file.path)
    try:
        facts = inspect(data)
    except (InvalidArgument, LimitExceeded):
        return file
    return msgspec.structs.replace(
        file, media_type=facts.media_type, width=facts.width, height=facts.height
    )


def all_files(snapshot: Snapshot, folder: str = "") -> list[tuple[str, VaultFile]]:
    """Return the files that came with vaults, each with the folder that it was imported into."""
    found: list[tuple[str, VaultFile]] = []
    for key, record in snapshot.items(SPACE, FILE, f"{folder}/" if folder else ""):
        try:
            file = msgspec.convert(value_of(record), VaultFile)
        except msgspec.ValidationError as error:
            raise damaged(record[0]) from error
        found.append((key.partition("/")[0], file))
    return found


def vault_files(snapshot: Snapshot, folder: str, vault: str) -> dict[str, VaultFile]:
    """Return the files of a vault that was imported into a folder, by their paths."""
    files = (file for _folder, file in all_files(snapshot, folder))
    return {file.path: file for file in files if file.vault == vault}


def change_of_file(folder: str, file: VaultFile) -> StagedChange:
    """Return the change that keeps a file; its bytes are kept by the storage."""
    return StagedChange(
        SPACE, FILE, file.key(folder), encode(cast("Json", msgspec.to_builtins(file)))
    )


def removal_of_file(folder: str, file: VaultFile) -> StagedChange:
    """Return the change that lets a file go."""
    return StagedChange(SPACE, FILE, file.key(folder), flags=DELETED)


def change_of_image(document: str, file: VaultFile, name: str) -> StagedChange:
    """Return the change that lets a document show a picture of its vault under a name."""
    value: Json = {
        "name": name,
        "media_type": file.media_type,
        "width": file.width,
        "height": file.height,
        "bytes": file.bytes,
    }
    return StagedChange(SPACE, IMAGE, f"{document}/{file.blob}", encode(value))


def image_names(snapshot: Snapshot) -> dict[str, str]:
    """Return the names of all images, by what their records are kept under."""
    values = ((key, value_of(record)) for key, record in snapshot.items(SPACE, IMAGE))
    return {
        key: str(value.get("name", "")) if isinstance(value, dict) else "" for key, value in values
    }


def removal_of_image(document: str, blob: str) -> StagedChange:
    """Return the change that takes a picture from a document; its past keeps it."""
    return StagedChange(SPACE, IMAGE, f"{document}/{blob}", flags=DELETED)
