/** What a user can do with the place that is shown: a folder or a Space. */
import { Ellipsis, FolderInput, FolderPlus, Library, Pencil, Trash2 } from "lucide";
import { time } from "../../app/location";
import { may } from "../../app/me";
import { Icon } from "../../parts/icon";
import { Actions, Float, type Action } from "../../parts/menu";
import type { Doing } from "./asking";
import type { Place } from "./place";
import type { Folder, Places } from "./places";
import { documentsWords } from "./words";

interface PlaceActionsProps {
  place: Place;
  folder: Folder | undefined;
  canChange: boolean;
  places: Places;
  start: (doing: Doing) => void;
}

/** What one can do with the place itself. */
export function placeActions({
  place,
  folder,
  canChange,
  places,
  start,
}: PlaceActionsProps): Action[] {
  const words = documentsWords();
  if (time.value !== null || places.folders.length === 0) return [];
  const of: Action[] = [];
  const canAdd = folder?.canWrite ?? place.kind !== "folder";
  if (canAdd && may("page_add_folder"))
    of.push({ label: words.newFolder, icon: FolderPlus, act: () => start({ what: "folder" }) });
  if (may("page_add_space"))
    of.push({ label: words.newSpace, icon: Library, act: () => start({ what: "space" }) });
  if (folder?.canChange && may("page_rename_folder")) {
    of.push(
      { label: words.renameFolder, icon: Pencil, act: () => start({ what: "renamePlace" }) },
      { label: words.moveFolder, icon: FolderInput, act: () => start({ what: "moveFolder" }) },
      {
        label: words.deleteFolder,
        icon: Trash2,
        isDangerous: true,
        act: () => start({ what: "deletePlace" }),
      },
    );
  }
  if (canChange && may("page_rename_space")) {
    of.push(
      { label: words.editSpace, icon: Pencil, act: () => start({ what: "editSpace" }) },
      {
        label: words.deleteSpace,
        icon: Trash2,
        isDangerous: true,
        act: () => start({ what: "deletePlace" }),
      },
    );
  }
  return of;
}

export function PlaceMenu({ of }: { of: Action[] }) {
  const words = documentsWords();
  if (of.length === 0) return null;
  return (
    <Float
      align="end"
      class="button bare"
      label={words.more}
      title={words.more}
      face={<Icon of={Ellipsis} />}
    >
      {(close) => <Actions of={of} close={close} />}
    </Float>
  );
}
