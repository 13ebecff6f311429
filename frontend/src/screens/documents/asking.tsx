/** The dialogs of the screen of documents: which one is open, and what it does. */
import { call } from "../../api/tools";
import { go, link } from "../../app/location";
import { Dialog } from "../../parts/dialog";
import { personalName } from "../../parts/folder-name";
import { late } from "../../parts/late";
import { Naming } from "../../parts/naming";
import { tell } from "../../parts/notices";
import { Confirm } from "../../parts/confirm";
import { EditSpace, MoveFolder, NewFolder, NewSpace, ToSpace } from "./dialogs";
import { Making } from "./making";
import { Moving } from "./moving";
import { folderLink, type Place } from "./place";
import { personalOf, type Folder, type Places } from "./places";
import type { DocumentLine } from "./table";
import { Tree } from "./tree";
import { documentsWords } from "./words";

/** The dialog for sharing comes with the page of a document; a list loads it when it is needed. */
const Sharing = late(() => import("./sharing").then((part) => part.Sharing));
const TITLE_CHARACTERS_MAX = 400;

/** What is asked in a dialog. */
export type Doing =
  | { what: "make" | "folder" | "space" | "renamePlace" | "editSpace" | "moveFolder" }
  | { what: "deletePlace" | "tree" }
  | { what: "move" | "share" | "toSpace" | "rename"; lines: DocumentLine[] };

interface AskingProps {
  doing: Doing;
  place: Place;
  folder: Folder | undefined;
  target: Folder | undefined;
  places: Places;
  onClose: () => void;
  onDone: () => void;
}

export function Asking(given: AskingProps) {
  const words = documentsWords();
  const { doing, place, folder, target, places, onClose, onDone } = given;
  const asks = { onClose, onDone };
  const space = places.spaces.find((one) => one.id === place.id);
  if (doing.what === "move") return <Moving lines={doing.lines} {...asks} />;
  if (doing.what === "share") return <Sharing lines={doing.lines} onClose={onClose} />;
  if (doing.what === "toSpace") {
    const spaces = places.spaces.filter((one) => one.canChange);
    return <ToSpace lines={doing.lines} spaces={spaces} {...asks} />;
  }
  if (doing.what === "rename") {
    const [line] = doing.lines;
    if (!line) return null;
    return (
      <Naming
        title={words.renameTitle}
        label={words.titleOf}
        button={words.rename}
        start={line.title}
        longest={TITLE_CHARACTERS_MAX}
        make={async (title) => {
          await call("page_rename", { documentId: line.id, title });
          onDone();
        }}
        onClose={onClose}
      />
    );
  }
  if (doing.what === "tree")
    return (
      <Dialog title={words.places} onClose={onClose} class="docs-tree-dialog">
        <div onClick={(event) => (event.target as Element).closest("a") && onClose()}>
          <Tree places={places} place={place} />
        </div>
      </Dialog>
    );
  if (doing.what === "make") {
    const isMine = target === personalOf(places.folders);
    const name = isMine ? personalName() : (target?.name ?? personalName());
    const into = place.kind === "space" ? place.id : null;
    return <Making folder={target} folderName={name} space={into} onClose={onClose} />;
  }
  if (doing.what === "folder") return <NewFolder parent={folder} places={places} {...asks} />;
  if (doing.what === "space") return <NewSpace places={places} {...asks} />;
  if (doing.what === "moveFolder") return folder ? <MoveFolder folder={folder} {...asks} /> : null;
  if (doing.what === "editSpace") return space ? <EditSpace space={space} {...asks} /> : null;
  if (doing.what === "renamePlace")
    return (
      <Naming
        title={words.renameFolder}
        label={words.folderName}
        button={words.rename}
        start={folder?.name ?? ""}
        make={async (name) => {
          await call("page_rename_folder", { folderId: folder?.id ?? "", name });
          onDone();
        }}
        onClose={onClose}
      />
    );
  if (folder)
    return (
      <Confirm
        title={words.deleteFolderTitle(folder.name)}
        button={words.deleteNow}
        act={async () => {
          const gone = await call("page_delete_folder", { folderId: folder.id });
          tell(words.folderDeleted(gone.name));
          go(gone.parent ? folderLink(gone.parent) : link("/docs"));
          onDone();
        }}
        onClose={onClose}
      >
        <p>{words.deleteFolderNote}</p>
      </Confirm>
    );
  return (
    <Confirm
      title={words.deleteSpaceTitle(space?.name ?? "")}
      button={words.deleteNow}
      act={async () => {
        const gone = await call("page_delete_space", { spaceId: place.id ?? "" });
        tell(words.spaceDeleted(gone.name));
        go(link("/docs"));
        onDone();
      }}
      onClose={onClose}
    >
      <p>{words.deleteSpaceNote}</p>
    </Confirm>
  );
}
