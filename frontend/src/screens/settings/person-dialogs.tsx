/** The dialogs about a user: adding, the code to sign in with, renaming, removing. */
import { useState } from "preact/hooks";
import type { PageAddPersonAnswer, PagePeopleAnswer } from "../../../../docs/reference/page";
import { call } from "../../api/tools";
import { useAnswer } from "../../app/answers";
import { learnWhoIAm, me } from "../../app/me";
import { Confirm } from "../../parts/confirm";
import { Copyable } from "../../parts/copyable";
import { Dialog } from "../../parts/dialog";
import { Choice, Field } from "../../parts/field";
import { FormDialog } from "../../parts/form-dialog";
import { tell } from "../../parts/notices";
import { Skeleton } from "../../parts/state";
import { settingsWords } from "./words";

export type Person = PagePeopleAnswer["people"][number];
export type Code = PageAddPersonAnswer;

export function Adding({ onClose, onDone }: { onClose: () => void; onDone: (made: Code) => void }) {
  const words = settingsWords();
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const add = async (): Promise<void> => {
    const named = name.trim() ? { name: name.trim() } : {};
    onDone(await call("page_add_person", { email: email.trim(), ...named }));
  };
  return (
    <FormDialog title={words.folk.add} button={words.add} act={add} onClose={onClose}>
      <Field
        label={words.email}
        value={email}
        onInput={setEmail}
        required
        autofocus
        maxLength={254}
        hint={words.folk.addHint}
      />
      <Field
        label={words.name}
        value={name}
        onInput={setName}
        maxLength={200}
        hint={words.folk.nameHint}
      />
    </FormDialog>
  );
}

/** The code is shown this once, with the address where it is typed in. */
export function CodeDialog({ code, onClose }: { code: Code; onClose: () => void }) {
  const words = settingsWords();
  return (
    <Dialog title={words.folk.codeTitle(code.person.name)} onClose={onClose}>
      <p>{words.folk.codeNote}</p>
      <Copyable label={words.folk.address} text={`${location.origin}/sign-in`} />
      <Copyable label={words.folk.codeLabel} text={code.code} />
      <Copyable
        label={words.folk.link}
        text={`${location.origin}/hello#${code.code}`}
        hint={words.folk.linkNote}
      />
    </Dialog>
  );
}

interface Changing {
  person: Person;
  onClose: () => void;
  onDone: () => void;
}

export function Renaming({ person, onClose, onDone }: Changing) {
  const words = settingsWords();
  const [name, setName] = useState(person.name);
  const [email, setEmail] = useState(person.email);
  const save = async (): Promise<void> => {
    const mail = email.trim() === person.email ? {} : { email: email.trim() };
    await call("page_rename_person", { personId: person.id, name: name.trim(), ...mail });
    if (person.id === me.peek()?.person.id) await learnWhoIAm();
    onDone();
    tell(words.saved);
  };
  return (
    <FormDialog
      title={words.folk.renameTitle(person.name)}
      button={words.save}
      act={save}
      onClose={onClose}
    >
      <Field label={words.name} value={name} onInput={setName} required autofocus maxLength={200} />
      <Field label={words.email} value={email} onInput={setEmail} required maxLength={254} />
    </FormDialog>
  );
}

/** Says what becomes of the user's documents, and asks who gets them. */
export function Removing({ person, others, onClose, onDone }: Changing & { others: Person[] }) {
  const words = settingsWords();
  const owned = useAnswer(
    () => call("page_belongings", { personId: person.id }),
    [person.id],
    () => false,
  );
  const [heir, setHeir] = useState(others[0]?.id ?? "");
  const found = owned.value;
  const hasSome = found !== undefined && found.documents + found.spaces > 0;
  const remove = async (): Promise<void> => {
    const given = hasSome ? { giveTo: heir } : {};
    await call("page_remove_person", { personId: person.id, ...given });
    tell(words.folk.removed(person.name));
    onDone();
  };
  return (
    <Confirm
      title={words.folk.removeTitle(person.name)}
      button={words.remove}
      act={remove}
      onClose={onClose}
    >
      {found === undefined ? (
        <Skeleton lines={2} />
      ) : hasSome ? (
        <>
          <p>{words.folk.removeOwns(found.documents, found.spaces)}</p>
          <Choice
            label={words.folk.giveTo}
            value={heir}
            of={others.map((one) => ({ value: one.id, label: `${one.name} (${one.email})` }))}
            onChange={setHeir}
          />
        </>
      ) : (
        <p>{words.folk.removeNothing}</p>
      )}
    </Confirm>
  );
}
