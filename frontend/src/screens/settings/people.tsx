/** The users of the workspace: adding, renaming, signing in and out, removing. */
import { Ellipsis, KeyRound, LogOut, Pencil, Trash2, UserPlus } from "lucide";
import { useState } from "preact/hooks";
import { call } from "../../api/tools";
import { useAnswer } from "../../app/answers";
import { time } from "../../app/location";
import { me } from "../../app/me";
import { Button } from "../../parts/button";
import { Head } from "../../parts/head";
import { Icon } from "../../parts/icon";
import { Actions, Float } from "../../parts/menu";
import { tell, tellError } from "../../parts/notices";
import { Shown } from "../../parts/state";
import { Adding, CodeDialog, Removing, Renaming, type Code, type Person } from "./person-dialogs";
import { settingsWords } from "./words";

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
