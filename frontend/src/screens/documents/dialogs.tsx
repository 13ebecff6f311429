/** What is asked before folders and Spaces are made, moved, filled or deleted. */
import { useState } from "preact/hooks";
import { call } from "../../api/tools";
import { go } from "../../app/location";
import { Check, Choice, Field } from "../../parts/field";
import { personalName } from "../../parts/folder-name";
import { FormDialog } from "../../parts/form-dialog";
import { tell } from "../../parts/notices";
import { FolderPicker } from "./picker";
import { folderLink, placeLink } from "./place";
import type { Folder, Places, Space } from "./places";
import type { DocumentLine } from "./table";
import { documentsWords } from "./words";

const NAME_CHARACTERS_MAX = 200;
const DESCRIPTION_CHARACTERS_MAX = 1_000;

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
  const make = async (): Promise<void> => {
    const inside = where === "" && parent ? { parentId: parent.id } : {};
    const team = where !== "" && where !== "mine" ? { teamId: where } : {};
    const given = { name: name.trim(), templates: isTemplates, ...inside, ...team };
    const made = await call("page_add_folder", given);
    tell(words.folderMade(made.name));
    onDone();
    go(folderLink(made.folderId));
  };
  return (
    <FormDialog title={words.newFolder} button={words.create} act={make} onClose={onClose}>
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
            { value: "mine", label: personalName() },
            ...teams.map((one) => ({ value: one.id, label: words.ofTeam(one.name) })),
          ]}
          onChange={setWhere}
        />
      )}
      <Check label={words.forTemplates} value={isTemplates} onChange={setTemplates} />
    </FormDialog>
  );
}

export function NewSpace({ places, onClose, onDone }: Asks & { places: Places }) {
  const words = documentsWords();
  const [name, setName] = useState("");
  const [description, describe] = useState("");
  const [team, setTeam] = useState("");
  const teams = places.teams.filter((one) => one.canWrite);
  const make = async (): Promise<void> => {
    const given = { name: name.trim(), description, ...(team ? { teamId: team } : {}) };
    const made = await call("page_add_space", given);
    tell(words.spaceMade(made.name));
    onDone();
    go(placeLink({ kind: "space", id: made.spaceId }));
  };
  return (
    <FormDialog title={words.newSpace} button={words.create} act={make} onClose={onClose}>
      <p class="quiet-text">{words.toSpaceNote}</p>
      <Field
        label={words.spaceName}
        value={name}
        onInput={setName}
        required
        autofocus
        maxLength={NAME_CHARACTERS_MAX}
      />
      <Description value={description} onInput={describe} />
      <Choice
        label={words.spaceFor}
        value={team}
        of={[
          { value: "", label: words.mine },
          ...teams.map((one) => ({ value: one.id, label: words.ofTeam(one.name) })),
        ]}
        onChange={setTeam}
      />
    </FormDialog>
  );
}

/** Changes the name and the description of a Space, each only where it was changed. */
export function EditSpace({ space, onClose, onDone }: Asks & { space: Space }) {
  const words = documentsWords();
  const [name, setName] = useState(space.name);
  const [description, describe] = useState(space.description);
  const save = async (): Promise<void> => {
    const spaceId = space.id;
    if (name.trim() !== space.name) await call("page_rename_space", { spaceId, name: name.trim() });
    if (description.trim() !== space.description)
      await call("page_describe_space", { spaceId, description });
    onDone();
  };
  return (
    <FormDialog title={words.editSpace} button={words.saveSpace} act={save} onClose={onClose}>
      <Field
        label={words.spaceName}
        value={name}
        onInput={setName}
        required
        autofocus
        maxLength={NAME_CHARACTERS_MAX}
      />
      <Description value={description} onInput={describe} />
    </FormDialog>
  );
}

function Description(given: { value: string; onInput: (value: string) => void }) {
  const words = documentsWords();
  return (
    <Field
      label={words.spaceDescription}
      hint={words.spaceDescriptionHint}
      {...given}
      rows={3}
      maxLength={DESCRIPTION_CHARACTERS_MAX}
    />
  );
}

export function MoveFolder({ folder, onClose, onDone }: Asks & { folder: Folder }) {
  const words = documentsWords();
  const [target, choose] = useState<Folder | null>(null);
  const canChoose = (one: Folder): boolean =>
    one.canWrite && one.team === folder.team && one.id !== folder.id && one.id !== folder.parent;
  const move = async (): Promise<void> => {
    await call("page_move_folder", { folderId: folder.id, parentId: target?.id ?? "" });
    tell(words.folderMoved(folder.name));
    onDone();
  };
  return (
    <FormDialog
      title={words.moveFolderTitle(folder.name)}
      button={words.moveNow}
      disabled={target === null}
      act={move}
      onClose={onClose}
    >
      <p class="quiet-text">{words.moveFolderNote}</p>
      <FolderPicker chosen={target} choose={choose} canChoose={canChoose} />
    </FormDialog>
  );
}

export function ToSpace(
  given: Asks & { lines: readonly DocumentLine[]; spaces: readonly Space[] },
) {
  const words = documentsWords();
  const { lines, spaces, onClose, onDone } = given;
  const [chosen, choose] = useState(spaces[0]?.id ?? "");
  const add = async (): Promise<void> => {
    const documentIds = lines.map((one) => one.id);
    const done = await call("page_put_in_space", { spaceId: chosen, documentIds });
    tell(words.added(done.documents, done.name));
    onDone();
  };
  return (
    <FormDialog title={words.toSpaceTitle} button={words.add} act={add} onClose={onClose}>
      <p class="quiet-text">{words.toSpaceNote}</p>
      <Choice
        label={words.space}
        value={chosen}
        of={spaces.map((one) => ({ value: one.id, label: one.name }))}
        onChange={choose}
      />
    </FormDialog>
  );
}
