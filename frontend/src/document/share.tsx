/** Who sees a document and through what; shares it by email or by a link. */
import { Copy, Link2, Mail, X } from "lucide";
import { useRef, useState } from "preact/hooks";
import { call } from "../api/tools";
import { useAnswer } from "../app/answers";
import { time } from "../app/location";
import { me } from "../app/me";
import { Button } from "../parts/button";
import { Dialog } from "../parts/dialog";
import { Choice, Field } from "../parts/field";
import { Icon } from "../parts/icon";
import { tell, tellError } from "../parts/notices";
import { Shown } from "../parts/state";
import { exactly } from "../parts/time";
import "./share.css";
import { shareWords } from "./share-words";
import type { Sheet } from "./sheet";

type Given = "viewer" | "commenter" | "editor";
type Sharing = Awaited<ReturnType<typeof ask>>;
type Reader = Sharing["people"][number];
type SharingLink = Sharing["links"][number];

const GIVEN: readonly Given[] = ["viewer", "commenter", "editor"];
const DAYS = ["1", "7", "30", "90"] as const;
const USES = ["1", "5", "25", "100"] as const;

const ask = (documentId: string) => call("page_sharing", { documentId });

export function Share({ sheet, onClose }: { sheet: Sheet; onClose: () => void }) {
  const words = shareWords();
  const answer = useAnswer(
    () => ask(sheet.id),
    [sheet.id],
    () => false,
  );
  const mayShare = (answer.value?.manages ?? false) && time.value === null;
  /** Does something about access, and shows who sees the document then. */
  const change = async (act: () => Promise<unknown>, done: string): Promise<boolean> => {
    try {
      await act();
      tell(done);
      return true;
    } catch (error) {
      tellError(error);
      return false;
    } finally {
      answer.reload();
    }
  };
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
                <Invitations id={sheet.id} sharing={sharing} change={change} />
              </>
            )}
          </>
        )}
      </Shown>
    </Dialog>
  );
}

type Change = (act: () => Promise<unknown>, done: string) => Promise<boolean>;

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

function rolesOf<T extends Given>(of: readonly T[]): { value: T; label: string }[] {
  const words = shareWords();
  return of.map((value) => ({ value, label: words[value] }));
}

interface PartProps {
  id: string;
  sharing: Sharing;
  change: Change;
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
  if (one.through === "folder") return words.byFolder(folder);
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

type OpenState = "off" | "viewer" | "commenter";

function OpenLink({ id, sharing, change }: PartProps) {
  const words = shareWords();
  const [address, setAddress] = useState("");
  const link = sharing.links.find((one) => one.kind === "open");
  const states: { value: OpenState; label: string }[] = [
    { value: "off", label: words.off },
    { value: "viewer", label: words.openViewer },
    { value: "commenter", label: words.openCommenter },
  ];
  const open = (role: "viewer" | "commenter"): void => {
    const given = { documentId: id, kind: "open", role } as const;
    const make = async (): Promise<void> => setAddress(await addressOf(given));
    void change(make, words.linkMade);
  };
  const turn = (state: OpenState): void => {
    if (state !== "off") return open(state);
    setAddress("");
    if (link) void change(() => call("page_revoke_link", { linkId: link.id }), words.openOff);
  };
  return (
    <section aria-label={words.openLink}>
      <h3>
        <Icon of={Link2} /> {words.openLink}
      </h3>
      <p class="quiet-text">{words.openHint}</p>
      <div class="share-row">
        <Choice
          label={words.openState}
          value={(link?.role ?? "off") as OpenState}
          of={states}
          onChange={turn}
        />
        {link && !address && (
          <Button onClick={() => open(link.role as "viewer" | "commenter")}>{words.newOpen}</Button>
        )}
      </div>
      {address && <Address of={address} />}
      {link && !address && <p class="quiet-text">{words.openKept}</p>}
    </section>
  );
}

function Invitations({ id, sharing, change }: PartProps) {
  const words = shareWords();
  const [role, setRole] = useState<Given>("editor");
  const [days, setDays] = useState<(typeof DAYS)[number]>("7");
  const [uses, setUses] = useState<(typeof USES)[number]>("1");
  const [newcomers, setNewcomers] = useState(false);
  const [address, setAddress] = useState("");
  const made = sharing.links.filter((one) => one.kind === "invitation");
  const make = (event: Event): void => {
    event.preventDefault();
    const given = { documentId: id, role, days: Number(days), uses: Number(uses), newcomers };
    void change(async () => setAddress(await addressOf(given)), words.linkMade);
  };
  const revoke = (link: SharingLink): void => {
    setAddress("");
    void change(() => call("page_revoke_link", { linkId: link.id }), words.revoked);
  };
  return (
    <section aria-label={words.inviteLink}>
      <h3>
        <Icon of={Mail} /> {words.inviteLink}
      </h3>
      <p class="quiet-text">{words.inviteHint}</p>
      <form onSubmit={make}>
        <div class="share-row">
          <Choice label={words.role} value={role} of={rolesOf(GIVEN)} onChange={setRole} />
          <Choice
            label={words.days}
            value={days}
            of={DAYS.map((value) => ({ value, label: words.dayCount(Number(value)) }))}
            onChange={setDays}
          />
          <Choice
            label={words.uses}
            value={uses}
            of={USES.map((value) => ({ value, label: words.useCount(Number(value)) }))}
            onChange={setUses}
          />
          <Button submits>{words.makeLink}</Button>
        </div>
        {sharing.admits && (
          <label class="check">
            <input
              type="checkbox"
              checked={newcomers}
              onChange={(event) => setNewcomers(event.currentTarget.checked)}
            />
            {words.newcomers}
          </label>
        )}
      </form>
      {address && <Address of={address} />}
      {made.length > 0 && (
        <ul class="readers">
          {made.map((one) => (
            <li key={one.id}>
              <span class="reader">
                <span class="reader-name">{words.linkRole[one.role as Given]}</span>
                <span class="quiet-text">{aboutLink(one)}</span>
              </span>
              <Button
                small
                kind="quiet"
                label={words.revokeLabel(`${words.linkRole[one.role as Given]}, ${aboutLink(one)}`)}
                onClick={() => revoke(one)}
              >
                {words.revoke}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function aboutLink(link: SharingLink): string {
  const words = shareWords();
  const parts = [
    link.ended ? words.ended : "",
    words.used(link.uses, link.mostUses ?? 0),
    link.expires ? words.until(exactly(link.expires)) : "",
    link.newcomers ? words.withNewcomers : "",
    link.by,
  ];
  return parts.filter(Boolean).join(" · ");
}

async function addressOf(given: Parameters<typeof call<"page_make_link">>[1]): Promise<string> {
  const { path } = await call("page_make_link", given);
  return new URL(path, location.origin).href;
}

/** An address that was just made: selected, and copied by a button. */
function Address({ of }: { of: string }) {
  const words = shareWords();
  const field = useRef<HTMLInputElement>(null);
  const copy = async (): Promise<void> => {
    field.current?.select();
    await navigator.clipboard.writeText(of);
    tell(words.copied);
  };
  return (
    <div class="share-row address">
      <div class="field">
        <label for="share-address">{words.made}</label>
        <input
          id="share-address"
          ref={field}
          readOnly
          value={of}
          onFocus={(event) => event.currentTarget.select()}
        />
      </div>
      <Button icon={Copy} onClick={() => void copy()}>
        {words.copy}
      </Button>
    </div>
  );
}
