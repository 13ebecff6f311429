/** The links that let others into a document: its open link, and invitations. */
import { Copy, Link2, Mail } from "lucide";
import { useRef, useState } from "preact/hooks";
import { call } from "../api/tools";
import { Button } from "../parts/button";
import { Check, Choice } from "../parts/field";
import { Icon } from "../parts/icon";
import { tell, tellError } from "../parts/notices";
import { exactly } from "../parts/time";
import { shareWords } from "./share-words";

export type Given = "viewer" | "commenter" | "editor";
export type Sharing = Awaited<ReturnType<typeof askSharing>>;
type SharingLink = Sharing["links"][number];

/** Does something about access, says so, and shows who has access then. */
export type Change = (act: () => Promise<unknown>, done: string) => Promise<void>;

export function changing(answer: { reload: () => void }): Change {
  return async (act, done) => {
    try {
      await act();
      tell(done);
    } catch (error) {
      tellError(error);
    }
    answer.reload();
  };
}

export const GIVEN: readonly Given[] = ["viewer", "commenter", "editor"];
const DAYS = ["1", "7", "30", "90"] as const;
const USES = ["1", "5", "25", "100"] as const;

export const askSharing = (documentId: string) => call("page_sharing", { documentId });

export interface PartProps {
  id: string;
  sharing: Sharing;
  change: Change;
}

export function rolesOf<T extends Given>(of: readonly T[]): { value: T; label: string }[] {
  const words = shareWords();
  return of.map((value) => ({ value, label: words[value] }));
}

type OpenState = "off" | "viewer" | "commenter";

export function OpenLink({ id, sharing, change }: PartProps) {
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
    const make = async (): Promise<void> =>
      setAddress(await addressOf(call("page_make_link", given)));
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

export interface Invitation {
  role: Given;
  days: number;
  uses: number;
  newcomers: boolean;
}

export interface InvitationsProps {
  links: readonly SharingLink[];
  /** Whether the user may let new people in. */
  admits: boolean;
  /** Makes a link, and returns its path. */
  make: (given: Invitation) => Promise<{ path: string }>;
  change: Change;
}

/** The invitations to a document or a team, and a form that makes one. */
export function Invitations({ links, admits, make, change }: InvitationsProps) {
  const words = shareWords();
  const [role, setRole] = useState<Given>("editor");
  const [days, setDays] = useState<(typeof DAYS)[number]>("7");
  const [uses, setUses] = useState<(typeof USES)[number]>("1");
  const [newcomers, setNewcomers] = useState(false);
  const [address, setAddress] = useState("");
  const made = links.filter((one) => one.kind === "invitation");
  const submit = (event: Event): void => {
    event.preventDefault();
    const given = { role, days: Number(days), uses: Number(uses), newcomers };
    void change(async () => setAddress(await addressOf(make(given))), words.linkMade);
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
      <form onSubmit={submit}>
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
        </div>
        {admits && <Check label={words.newcomers} value={newcomers} onChange={setNewcomers} />}
        <div class="actions">
          <Button submits>{words.makeLink}</Button>
        </div>
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

async function addressOf(made: Promise<{ path: string }>): Promise<string> {
  return new URL((await made).path, location.origin).href;
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
