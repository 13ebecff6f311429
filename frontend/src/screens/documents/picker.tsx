/** Chooses a folder: all that the user sees as a tree, or those with a name. */
import { Folder as FolderIcon } from "lucide";
import { useState } from "preact/hooks";
import { call } from "../../api/tools";
import { useAnswer } from "../../app/answers";
import { personalName } from "../../parts/folder-name";
import { Icon } from "../../parts/icon";
import { Shown } from "../../parts/state";
import { foldersIn, pathTo, personalOf, type Folder, type Places } from "./places";
import { documentsWords } from "./words";

const INDENTED = 8;

export interface FolderPickerProps {
  chosen: Folder | null;
  choose: (folder: Folder) => void;
  canChoose: (folder: Folder) => boolean;
}

export function FolderPicker(given: FolderPickerProps) {
  const words = documentsWords();
  const [query, setQuery] = useState("");
  const answer = useAnswer(
    () => call("page_folders", { query }),
    [query],
    () => false,
  );
  return (
    <>
      <input
        type="search"
        aria-label={words.findFolder}
        placeholder={words.findFolder}
        value={query}
        autofocus
        onInput={(event) => setQuery(event.currentTarget.value)}
      />
      <Shown answer={answer}>{(places) => <Choices {...given} places={places} />}</Shown>
    </>
  );
}

function Choices({ places, chosen, choose, canChoose }: FolderPickerProps & { places: Places }) {
  const words = documentsWords();
  const { folders, teams, total } = places;
  const mine = personalOf(folders);
  const groups = [
    { id: null, name: personalName() },
    ...teams.map((team) => ({ id: team.id, name: team.name })),
  ];
  if (folders.length === 0) return <p class="quiet-text">{words.noFolder}</p>;
  return (
    <div class="picker" role="radiogroup" aria-label={words.moveTo}>
      {groups.map((group) => {
        const inOrder = ordered(folders, foldersIn(folders, null, group.id));
        if (inOrder.length === 0) return null;
        return (
          <div key={group.id ?? ""} role="presentation">
            {group.id !== null && <p class="picker-team">{group.name}</p>}
            {inOrder.map((one) => (
              <label
                key={one.id}
                class="picker-folder"
                data-depth={Math.min(pathTo(folders, one.id).length - 1, INDENTED)}
              >
                <input
                  type="radio"
                  name="folder"
                  checked={chosen?.id === one.id}
                  disabled={!canChoose(one)}
                  onChange={() => choose(one)}
                />
                <Icon of={FolderIcon} />
                <span>{one === mine ? personalName() : one.name}</span>
              </label>
            ))}
          </div>
        );
      })}
      {total > folders.length && (
        <p class="quiet-text">{words.moreFolders(folders.length, total)}</p>
      )}
    </div>
  );
}

/** Folders from the top down, each before those that lie in it. */
function ordered(folders: readonly Folder[], top: readonly Folder[]): Folder[] {
  return top.flatMap((one) => [one, ...ordered(folders, foldersIn(folders, one.id))]);
}
