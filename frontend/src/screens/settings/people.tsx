/** The users of the workspace: adding, renaming, signing in and out, removing. */
import { Ellipsis, KeyRound, LogOut, Pencil, Trash2, UserPlus } from "lucide";
import { useState } from "preact/hooks";
import type { PageAddPersonAnswer, PagePeopleAnswer } from "../../../../docs/reference/page";
import { call } from "../../api/tools";
import { useAnswer } from "../../app/answers";
import { time } from "../../app/location";
import { learnWhoIAm, me } from "../../app/me";
import { Button } from "../../parts/button";
import { Confirm } from "../../parts/confirm";
import { Copyable } from "../../parts/copyable";
import { Dialog } from "../../parts/dialog";
import { Choice, Field } from "../../parts/field";
import { Head } from "../../parts/head";
import { Icon } from "../../parts/icon";
import { Actions, Float } from "../../parts/menu";
import { tell, tellError } from "../../parts/notices";
import { Shown, Skeleton } from "../../parts/state";
import { partWords } from "../../parts/words";
import { settingsWords } from "./words";

type Person = PagePeopleAnswer["people"][number];
type Code = PageAddPersonAnswer;
type Open = { what: "rename" | "remove"; person: Person } | { what: "add" };

export default function PeoplePart() {
  const words = settingsWords();
  const answer = useAnswer(
    () => call("page_people", {}),
    [],
    () => false,
  );
  const [open, setOpen] = useState<Open | null>(null);
  const [code, showCode] = useState<Code | null>(null);
  const close = (): void => setOpen(null);
  const makeCode = async (person: Person): Promise<void> => {
    try {
      showCode(await call("page_sign_in_code", { personId: person.id }));
    } catch (error) {
      tellError(error);
    }
  };
  const signOut = async (person: Person): Promise<void> => {
    try {
      const { browsers } = await call("page_close_browsers", { personId: person.id });
      tell(words.mine.signedOut(browsers));
    } catch (error) {
      tellError(error);
    }
  };
  return (
    <>
      <Head title={words.people} note={words.folk.note}>
        {time.value === null && (
          <Button kind="primary" icon={UserPlus} onClick={() => setOpen({ what: "add" })}>
            {words.folk.add}
          </Button>
        )}
      </Head>
      <Shown answer={answer}>
        {({ people }) => (
          <>
            <ul class="card-list" aria-label={words.folk.list}>
              {people.map((person) => (
                <li key={person.id} class="line">
                  <div class="line-main">
                    <p>
                      <strong>{person.name}</strong>
                      {person.isOwner && <span class="tag">{words.folk.owner}</span>}
                      {person.id === me.value?.person.id && (
                        <span class="tag">{words.folk.you}</span>
                      )}
                    </p>
                    <p class="quiet-text">{person.email}</p>
                  </div>
                  {time.value === null && (!person.isOwner || me.value?.isOwner) && (
                    <Float
                      class="button quiet bare small"
                      align="end"
                      label={words.actions(person.name)}
                      face={<Icon of={Ellipsis} />}
                    >
                      {(done) => (
                        <Actions
                          close={done}
                          of={[
                            {
                              label: words.folk.code,
                              icon: KeyRound,
                              act: () => void makeCode(person),
                            },
                            {
                              label: words.rename,
                              icon: Pencil,
                              act: () => setOpen({ what: "rename", person }),
                            },
                            {
                              label: words.folk.signOut,
                              icon: LogOut,
                              act: () => void signOut(person),
                            },
                            ...(person.isOwner
                              ? []
                              : [
                                  {
                                    label: words.remove,
                                    icon: Trash2,
                                    isDangerous: true,
                                    act: () => setOpen({ what: "remove", person }),
                                  },
                                ]),
                          ]}
                        />
                      )}
                    </Float>
                  )}
                </li>
              ))}
            </ul>
            {open?.what === "remove" && (
              <Removing
                person={open.person}
                others={people.filter((one) => one.id !== open.person.id)}
                onClose={close}
                onDone={answer.reload}
              />
            )}
          </>
        )}
      </Shown>
      {open?.what === "add" && (
        <Adding
          onClose={close}
          onDone={(made) => {
            answer.reload();
            showCode(made);
          }}
        />
      )}
      {open?.what === "rename" && (
        <Renaming person={open.person} onClose={close} onDone={answer.reload} />
      )}
      {code && <CodeDialog code={code} onClose={() => showCode(null)} />}
    </>
  );
}

function Adding({ onClose, onDone }: { onClose: () => void; onDone: (made: Code) => void }) {
  const words = settingsWords();
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const add = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      const named = name.trim() ? { name: name.trim() } : {};
      const made = await call("page_add_person", { email: email.trim(), ...named });
      onClose();
      onDone(made);
    } catch (error) {
      tellError(error);
    }
  };
  return (
    <Dialog title={words.folk.add} onClose={onClose}>
      <form onSubmit={(event) => void add(event)}>
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
        <div class="actions">
          <Button kind="primary" submits>
            {words.add}
          </Button>
          <Button kind="quiet" onClick={onClose}>
            {partWords().cancel}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The code is shown this once, with the address where it is typed in. */
function CodeDialog({ code, onClose }: { code: Code; onClose: () => void }) {
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

function Renaming({ person, onClose, onDone }: Changing) {
  const words = settingsWords();
  const [name, setName] = useState(person.name);
  const [email, setEmail] = useState(person.email);
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      const mail = email.trim() === person.email ? {} : { email: email.trim() };
      await call("page_rename_person", { personId: person.id, name: name.trim(), ...mail });
      if (person.id === me.peek()?.person.id) await learnWhoIAm();
      onClose();
      onDone();
      tell(words.saved);
    } catch (error) {
      tellError(error);
    }
  };
  return (
    <Dialog title={words.folk.renameTitle(person.name)} onClose={onClose}>
      <form onSubmit={(event) => void save(event)}>
        <Field
          label={words.name}
          value={name}
          onInput={setName}
          required
          autofocus
          maxLength={200}
        />
        <Field label={words.email} value={email} onInput={setEmail} required maxLength={254} />
        <div class="actions">
          <Button kind="primary" submits>
            {words.save}
          </Button>
          <Button kind="quiet" onClick={onClose}>
            {partWords().cancel}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Says what becomes of the user's documents, and asks who gets them. */
function Removing({ person, others, onClose, onDone }: Changing & { others: Person[] }) {
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
