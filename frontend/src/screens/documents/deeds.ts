/** What a user can do with documents of a list, by the menu of a row, the bar or keys. */
import { FolderInput, Library, Pencil, Share2, Trash2, X } from "lucide";
import { call } from "../../api/tools";
import type { Key } from "../../app/keys";
import { may } from "../../app/me";
import type { Action } from "../../parts/menu";
import { tell, tellError } from "../../parts/notices";
import { partWords } from "../../parts/words";
import type { Doing } from "./asking";
import type { Place } from "./place";
import type { Space } from "./places";
import type { DocumentLine } from "./table";
import { documentsWords } from "./words";

export interface DeedsProps {
  place: Place;
  isNow: boolean;
  spaces: readonly Space[];
  /** Asks for a new document; null where none can be made. */
  make: (() => void) | null;
  start: (doing: Doing) => void;
  /** Called when documents are not where they were. */
  done: () => void;
  reload: () => void;
}

export type Deed = Action & { key?: string };

export interface Deeds {
  deeds: (lines: DocumentLine[]) => Deed[];
  keysFor: (lines: DocumentLine[]) => Key[];
}

export function documentDeeds(given: DeedsProps): Deeds {
  const words = documentsWords();
  const { place, isNow, make, start, done, reload } = given;
  const space = given.spaces.find((one) => one.id === place.id);
  const ownSpaces = given.spaces.filter((one) => one.canChange);
  const trash = async (lines: DocumentLine[]): Promise<void> => {
    const gone = lines.filter((one) => one.canEdit);
    const documentIds = gone.map((one) => one.id);
    if (documentIds.length === 0) return;
    try {
      await call("page_trash_documents", { documentIds });
      const left = lines.length - documentIds.length;
      const action = { label: partWords().undo, act: () => void untrash(documentIds, reload) };
      const hint = [
        left > 0 && words.trashLeft(left),
        gone.some((one) => one.status === "published") && words.trashPublished,
      ];
      tell(words.trashed(documentIds.length), { action, hint: hint.filter(Boolean).join(" ") });
    } catch (error) {
      tellError(error);
    }
    done();
  };
  const takeOut = async (lines: DocumentLine[]): Promise<void> => {
    try {
      const documentIds = lines.map((one) => one.id);
      const given = { spaceId: place.id ?? "", documentIds };
      tell(words.tookOut((await call("page_remove_from_space", given)).documents));
    } catch (error) {
      tellError(error);
    }
    done();
  };
  /** What one can do with documents; each entry is left out where it would be refused. */
  const deeds = (lines: DocumentLine[]): Deed[] => {
    if (!isNow || lines.length === 0) return [];
    const canEdit = lines.some((one) => one.canEdit);
    const canManage = lines.some((one) => one.canManage);
    const found: Deed[] = [];
    if (lines.length === 1 && canEdit && may("page_rename"))
      found.push({
        label: words.rename,
        icon: Pencil,
        key: "r",
        act: () => start({ what: "rename", lines }),
      });
    if (canManage && may("page_move_documents"))
      found.push({
        label: words.move,
        icon: FolderInput,
        key: "m",
        act: () => start({ what: "move", lines }),
      });
    if (canManage && may("edit_document"))
      found.push({
        label: words.share,
        icon: Share2,
        key: "s",
        act: () => start({ what: "share", lines }),
      });
    if (ownSpaces.length > 0 && may("page_put_in_space"))
      found.push({
        label: words.toSpace,
        icon: Library,
        act: () => start({ what: "toSpace", lines }),
      });
    if (space?.canChange && may("page_remove_from_space"))
      found.push({ label: words.takeOut, icon: X, act: () => void takeOut(lines) });
    if (canEdit && may("page_trash_documents"))
      found.push({
        label: words.trash,
        icon: Trash2,
        key: "#",
        isDangerous: true,
        act: () => void trash(lines),
      });
    return found;
  };
  const keysFor = (lines: DocumentLine[]): Key[] => {
    const keys = deeds(lines).flatMap(({ key, label, act }) =>
      key && act ? [{ keys: key, label, act }] : [],
    );
    const toTrash = keys.find((one) => one.keys === "#");
    return [
      ...keys,
      ...(toTrash ? [{ ...toTrash, keys: "Delete" }] : []),
      ...(make ? [{ keys: "n", label: words.make, act: make }] : []),
    ];
  };
  return { deeds, keysFor };
}

async function untrash(documentIds: string[], reload: () => void): Promise<void> {
  try {
    const { documents } = await call("page_untrash_documents", { documentIds });
    tell(documentsWords().untrashed(documents));
  } catch (error) {
    tellError(error);
  }
  reload();
}
