"""Images that were attached here: the files that they get, and the notes that they belong to."""

from pathlib import PurePosixPath

from strata.documents import IMAGE, SPACE, Image
from strata.exchange.place import view_of
from strata.exchange.vault.attachments import VaultFile
from strata.exchange.vault.known_notes import KnownNote
from strata.exchange.vault.layout import OutgoingFile, VaultPaths
from strata.exchange.vault.links import Names, links_in
from strata.exchange.vault.manifest import AttachedImage
from strata.exchange.vault.places import file_name
from strata.workspace import Workspace

_FOLDER = "attachments"
# What names of such files end with; the first is for names that end otherwise.
_ENDINGS = {
    "image/png": (".png",),
    "image/jpeg": (".jpg", ".jpeg"),
    "image/gif": (".gif",),
    "image/webp": (".webp",),
    "image/svg+xml": (".svg",),
}


class Pictures:
    """Finds a file for every image that no link of its note leads to."""

    def __init__(self, db: Workspace, layout: VaultPaths, before: dict[str, str]) -> None:
        self._db, self._layout, self._before = db, layout, before
        self._folder = layout.free_folder(_FOLDER)
        keys = view_of(db).snapshot.keys(SPACE, IMAGE)
        self._with_images = {key.partition("/")[0] for key, _version in keys}
        self.files: list[OutgoingFile] = []

    def attached(
        self, notes: list[OutgoingFile], files: list[OutgoingFile]
    ) -> dict[PurePosixPath, tuple[AttachedImage, ...]]:
        """Return the images of notes that only the manifest names, by the paths of the notes."""
        names = Names(one.path for one in (*notes, *files))
        blobs = {one.path: one.what.blob for one in files if isinstance(one.what, VaultFile)}
        places = {blob: path for path, blob in reversed(blobs.items())}
        told: dict[PurePosixPath, tuple[AttachedImage, ...]] = {}
        for one in notes:
            if isinstance(one.what, KnownNote) and one.what.id in self._with_images:
                linked = self._linked(one.what, one.path, names)
                shown = {blobs[path] for path in linked if path in blobs}
                images = self._db.documents.images(one.what.id)
                told[one.path] = tuple(
                    self._attached_image(image, places) for image in images if image.id not in shown
                )
        return {path: images for path, images in told.items() if images}

    def _linked(self, what: KnownNote, path: PurePosixPath, names: Names) -> set[PurePosixPath]:
        """Return the files that an import will find by the links of a note."""
        links = links_in(self._db.documents.text(what.id))
        found = (names.find(link.target, path) for link in links if link.kind == "image")
        return {path for path in found if path is not None}

    def _attached_image(self, image: Image, places: dict[str, PurePosixPath]) -> AttachedImage:
        if image.id not in places:
            places[image.id] = self._place(image)
        path = places[image.id]
        return AttachedImage(
            image.id, path.as_posix(), "" if path.name == image.name else image.name
        )

    def _place(self, image: Image) -> PurePosixPath:
        wanted = self._before.get(image.id) or f"{self._folder}/{_name(image)}"
        path = self._layout.free(PurePosixPath(wanted))
        what = VaultFile(
            vault="",
            path=path.as_posix(),
            blob=image.id,
            bytes=image.bytes,
            media_type=image.media_type,
            width=image.width,
            height=image.height,
        )
        self.files.append(OutgoingFile(path, what))
        return path


def _name(image: Image) -> str:
    """Return a name of a file that tells what the image is."""
    endings = _ENDINGS.get(image.media_type, ("",))
    stem, dot, ending = image.name.rpartition(".")
    if stem and f"{dot}{ending}".lower() in endings:
        return f"{file_name(stem)}{dot}{ending}"
    return f"{file_name(image.name)}{endings[0]}"
