/** What is asked before folders and Spaces are made, moved, filled or deleted. */
import { useState } from "preact/hooks";
import { call } from "../../api/tools";
import { go } from "../../app/location";
import { Button } from "../../parts/button";
import { Dialog } from "../../parts/dialog";
import { Check, Choice, Field } from "../../parts/field";
import { tell, tellError } from "../../parts/notices";
import { partWords } from "../../parts/words";
import { FolderPicker } from "./picker";
import { folderLink, placeLink } from "./place";
import type { Folder, Places, Space } from "./places";
import type { DocumentLine } from "./table";
import { documentsWords } from "./words";

const NAME_CHARACTERS_MAX = 200;

export interface Asks {
  onClose: () => void;
  /** Called when something was changed, so that it is fetched anew. */
  onDone: () => void;
}

/** Makes a folder in another one, or beside the first folders of a team. */
export function NewFolder({
  parent,
  places,
  onClose,
  onDone,
}: Asks & { parent: Folder | undefined; places: Places }) {
  const words = documentsWords();
  const [name, setName] = useState("");
  const [isTemplates, setTemplates] = useState(false);
  const teams = places.teams.filter((one) => one.canWrite);
  const [where, setWhere] = useState(parent ? "" : "mine");
  const make = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      const inside = where === "" && parent ? { parentId: parent.id } : {};
      const team = where !== "" && where !== "mine" ? { teamId: where } : {};
      const given = { name: name.trim(), templates: isTemplates, ...inside, ...team };
      const made = await call("page_add_folder", given);
      tell(words.folderMade(made.name));
      onClose();
      onDone();
      go(folderLink(made.folderId));
    } catch (error) {
      tellError(error);
    }
  };
  return (
    <Dialog title={words.newFolder} onClose={onClose}>
      <form onSubmit={(event) => void make(event)}>
        <Field
          label={words.folderName}
          value={name}
          onInput={setName}
          required
          autofocus
          maxLength={NAME_CHARACTERS_MAX}
        />
        {teams.length > 0 && (
          <Choice
            label={words.moveTo}
            value={where}
            of={[
              ...(parent ? [{ value: "", label: parent.name }] : []),
              { value: "mine", label: words.personal },
              ...teams.map((one) => ({ value: one.id, label: words.ofTeam(one.name) })),
            ]}
            onChange={setWhere}
          />
        )}
        <Check label={words.forTemplates} value={isTemplates} onChange={setTemplates} />
        <div class="actions">
          <Button kind="primary" submits>
            {words.create}
          </Button>
          <Button kind="quiet" onClick={onClose}>
            {partWords().cancel}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

export function NewSpace({ places, onClose, onDone }: Asks & { places: Places }) {
  const words = documentsWords();
  const [name, setName] = useState("");
  const [team, setTeam] = useState("");
  const teams = places.teams.filter((one) => one.canWrite);
  const make = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      const made = await call("page_add_space", {
        name: name.trim(),
        ...(team ? { teamId: team } : {}),
      });
      tell(words.spaceMade(made.name));
      onClose();
      onDone();
      go(placeLink({ kind: "space", id: made.spaceId }));
    } catch (error) {
      tellError(error);
    }
  };
  return (
    <Dialog title={words.newSpace} onClose={onClose}>
      <form onSubmit={(event) => void make(event)}>
        <p class="quiet-text">{words.toSpaceNote}</p>
        <Field
          label={words.spaceName}
          value={name}
          onInput={setName}
          required
          autofocus
          maxLength={NAME_CHARACTERS_MAX}
        />
        <Choice
          label={words.spaceFor}
          value={team}
          of={[
            { value: "", label: words.mine },
            ...teams.map((one) => ({ value: one.id, label: words.ofTeam(one.name) })),
          ]}
          onChange={setTeam}
        />
        <div class="actions">
          <Button kind="primary" submits>
            {words.create}
          </Button>
          <Button kind="quiet" onClick={onClose}>
            {partWords().cancel}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

export function MoveFolder({ folder, onClose, onDone }: Asks & { folder: Folder }) {
  const words = documentsWords();
  const [target, choose] = useState<Folder | null>(null);
  const canChoose = (one: Folder): boolean =>
    one.canWrite && one.team === folder.team && one.id !== folder.id && one.id !== folder.parent;
  const move = async (to: Folder): Promise<void> => {
    try {
      await call("page_move_folder", { folderId: folder.id, parentId: to.id });
      tell(words.folderMoved(folder.name));
      onClose();
      onDone();
    } catch (error) {
      tellError(error);
    }
  };
  return (
    <Dialog title={words.moveFolderTitle(folder.name)} onClose={onClose}>
      <p class="quiet-text">{words.moveFolderNote}</p>
      <FolderPicker chosen={target} choose={choose} canChoose={canChoose} />
      <div class="actions">
        <Button
          kind="primary"
          disabled={target === null}
          onClick={() => target && void move(target)}
        >
          {words.moveNow}
        </Button>
      </div>
    </Dialog>
  );
}

export function ToSpace(
  given: Asks & { lines: readonly DocumentLine[]; spaces: readonly Space[] },
) {
  const words = documentsWords();
  const { lines, spaces, onClose, onDone } = given;
  const [chosen, choose] = useState(spaces[0]?.id ?? "");
  const add = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      const documentIds = lines.map((one) => one.id);
      const done = await call("page_put_in_space", { spaceId: chosen, documentIds });
      tell(words.added(done.documents, done.name));
      onClose();
      onDone();
    } catch (error) {
      tellError(error);
    }
  };
  return (
    <Dialog title={words.toSpaceTitle} onClose={onClose}>
      <form onSubmit={(event) => void add(event)}>
        <p class="quiet-text">{words.toSpaceNote}</p>
        <Choice
          label={words.space}
          value={chosen}
          of={spaces.map((one) => ({ value: one.id, label: one.name }))}
          onChange={choose}
        />
        <div class="actions">
          <Button kind="primary" submits>
            {words.add}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
