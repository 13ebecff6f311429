/** Who sees a document and through what; shares it by email or by a link. */
import { X } from "lucide";
import { useState } from "preact/hooks";
import { call } from "../api/tools";
import { useAnswer } from "../app/answers";
import { time } from "../app/location";
import { me } from "../app/me";
import { Button } from "../parts/button";
import { Dialog } from "../parts/dialog";
import { Choice, Field } from "../parts/field";
import { folderName } from "../parts/folder-name";
import { tell, tellError } from "../parts/notices";
import { Shown } from "../parts/state";
import "./share.css";
import {
  askSharing,
  changing,
  GIVEN,
  Invitations,
  OpenLink,
  rolesOf,
  type Given,
  type PartProps,
  type Sharing,
} from "./share-links";
import { shareWords } from "./share-words";
import type { Sheet } from "./sheet";

type Reader = Sharing["people"][number];

export function Share({ sheet, onClose }: { sheet: Sheet; onClose: () => void }) {
  const words = shareWords();
  const answer = useAnswer(
    () => askSharing(sheet.id),
    [sheet.id],
    () => false,
  );
  const mayShare = (answer.value?.manages ?? false) && time.value === null;
  const change = changing(answer);
  return (
    <Dialog
      title={mayShare || !answer.value ? words.title : words.readersTitle}
      onClose={onClose}
      class="share"
    >
      <Shown answer={answer}>
        {(sharing) => (
          <>
            {mayShare && <ByEmail id={sheet.id} reload={answer.reload} />}
            <Readers id={sheet.id} sharing={sharing} mayShare={mayShare} change={change} />
            {mayShare && (
              <>
                <OpenLink id={sheet.id} sharing={sharing} change={change} />
                <Invitations
                  links={sharing.links}
                  admits={sharing.admits}
                  make={(given) => call("page_make_link", { documentId: sheet.id, ...given })}
                  change={change}
                />
              </>
            )}
          </>
        )}
      </Shown>
    </Dialog>
  );
}

function ByEmail({ id, reload }: { id: string; reload: () => void }) {
  const words = shareWords();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Given>("editor");
  const share = async (event: Event): Promise<void> => {
    event.preventDefault();
    const to = email.trim();
    try {
      const given = { action: "share", documentId: id, email: to, role } as const;
      const answer = await call("edit_document", given);
      setEmail("");
      tell(answer.pending ? words.invited(to) : words.shared(to));
    } catch (error) {
      tellError(error);
    }
    reload();
  };
  return (
    <form class="share-row" onSubmit={(event) => void share(event)}>
      <Field label={words.email} type="email" value={email} onInput={setEmail} required autofocus />
      <Choice label={words.role} value={role} of={rolesOf(GIVEN)} onChange={setRole} />
      <Button kind="primary" submits>
        {words.shareNow}
      </Button>
    </form>
  );
}

function Readers({ id, sharing, mayShare, change }: PartProps & { mayShare: boolean }) {
  const words = shareWords();
  const give = (email: string, role: Given): void => {
    const given = { action: "share", documentId: id, email, role } as const;
    void change(() => call("edit_document", given), words.shared(email));
  };
  const remove = (name: string, who: string): void => {
    const given = { action: "unshare", documentId: id, targetUserId: who } as const;
    void change(() => call("edit_document", given), words.removed(name));
  };
  return (
    <section aria-label={words.readers}>
      <h3>{words.readerCount(sharing.people.length)}</h3>
      <ul class="readers">
        {sharing.people.map((one) => {
          const name = one.name || one.email;
          const mine = one.id === me.value?.person.id;
          return (
            <ReaderRow
              key={one.id}
              name={mine ? words.you(name) : name}
              about={through(one, sharing.folder)}
              role={one.role}
              isChanged={mayShare && one.through === "share"}
              give={(role) => give(one.email, role)}
              remove={() => remove(name, one.id)}
            />
          );
        })}
        {sharing.invited.map((one) => (
          <ReaderRow
            key={one.email}
            name={one.email}
            about={words.waiting}
            role={one.role}
            isChanged={mayShare}
            give={(role) => give(one.email, role)}
            remove={() => remove(one.email, one.email)}
          />
        ))}
      </ul>
    </section>
  );
}

function through(one: Reader, folder: string): string {
  const words = shareWords();
  if (one.through === "team") return words.byTeam(one.team ?? "");
  if (one.through === "folder") return words.byFolder(folderName(folder));
  return one.through === "link" ? words.byLink : words.byShare;
}

function ReaderRow(given: {
  name: string;
  about: string;
  role: string;
  isChanged: boolean;
  give: (role: Given) => void;
  remove: () => void;
}) {
  const words = shareWords();
  const role = given.role as Given;
  return (
    <li>
      <span class="reader">
        <span class="reader-name">{given.name}</span>
        <span class="quiet-text">{given.about}</span>
      </span>
      {given.isChanged ? (
        <>
          <Choice
            label={words.roleOf(given.name)}
            hidesLabel
            value={role}
            of={rolesOf(GIVEN)}
            onChange={given.give}
          />
          <Button kind="quiet" icon={X} label={words.remove(given.name)} onClick={given.remove} />
        </>
      ) : (
        <span class="quiet-text">{words[role]}</span>
      )}
    </li>
  );
}
