/** Tokens: making one, seeing when each was used, and revoking it. */
import { KeyRound, Plus } from "lucide";
import { useState } from "preact/hooks";
import type { PageMakeTokenAnswer, PageTokensAnswer } from "../../../../docs/reference/page";
import { call } from "../../api/tools";
import { useAnswer } from "../../app/answers";
import { time } from "../../app/location";
import { me } from "../../app/me";
import { Button } from "../../parts/button";
import { Confirm } from "../../parts/confirm";
import { Copyable } from "../../parts/copyable";
import { Dialog } from "../../parts/dialog";
import { Check, Choice, Field } from "../../parts/field";
import { FormDialog } from "../../parts/form-dialog";
import { Head } from "../../parts/head";
import { tell } from "../../parts/notices";
import { Empty, Shown } from "../../parts/state";
import { ago } from "../../parts/time";
import { settingsWords } from "./words";

type Token = PageTokensAnswer["tokens"][number];
type Made = PageMakeTokenAnswer;

export default function TokensPart() {
  const words = settingsWords();
  const answer = useAnswer(
    () => call("page_tokens", {}),
    [],
    () => false,
  );
  const [isMaking, make] = useState(false);
  const [made, show] = useState<Made | null>(null);
  const [leaving, revoke] = useState<Token | null>(null);
  return (
    <>
      <Head title={words.tokens} note={words.keys.note}>
        {time.value === null && (
          <Button kind="primary" icon={Plus} onClick={() => make(true)}>
            {words.keys.make}
          </Button>
        )}
      </Head>
      <Shown answer={answer}>
        {({ tokens, groups }) => {
          const good = tokens.filter((one) => !isOver(one));
          const gone = tokens.filter(isOver);
          return (
            <>
              {good.length === 0 ? (
                <Empty icon={KeyRound} title={words.keys.empty}>
                  <p>{words.keys.emptyHint}</p>
                </Empty>
              ) : (
                <ul class="card-list" aria-label={words.keys.list}>
                  {good.map((one) => (
                    <TokenRow key={one.id} token={one} onRevoke={() => revoke(one)} />
                  ))}
                </ul>
              )}
              {gone.length > 0 && (
                <details class="gone">
                  <summary>{words.keys.gone(gone.length)}</summary>
                  <ul class="card-list" aria-label={words.keys.gone(gone.length)}>
                    {gone.map((one) => (
                      <TokenRow key={one.id} token={one} />
                    ))}
                  </ul>
                </details>
              )}
              {isMaking && (
                <Making
                  groups={groups}
                  onClose={() => make(false)}
                  onMade={(token) => {
                    show(token);
                    answer.reload();
                  }}
                />
              )}
            </>
          );
        }}
      </Shown>
      {made && (
        <Dialog title={words.keys.madeTitle(made.token.label)} onClose={() => show(null)}>
          <p>{words.keys.once}</p>
          <Copyable label={words.keys.secret} text={made.secret} />
        </Dialog>
      )}
      {leaving && (
        <Confirm
          title={words.keys.revokeTitle(leaving.label)}
          button={words.keys.revoke}
          onClose={() => revoke(null)}
          act={async () => {
            await call("page_revoke_token", { tokenId: leaving.id });
            tell(words.keys.wasRevoked(leaving.label));
            answer.reload();
          }}
        >
          <p>{words.keys.revokeNote}</p>
        </Confirm>
      )}
    </>
  );
}

function isOver(token: Token): boolean {
  return (
    token.revoked !== null || (token.expires !== null && Date.parse(token.expires) < Date.now())
  );
}

function TokenRow({ token, onRevoke }: { token: Token; onRevoke?: () => void }) {
  const words = settingsWords();
  const groups = token.groups.length ? token.groups.join(", ") : words.keys.allGroups;
  const state = [
    groups,
    token.user && words.keys.forUser(token.user),
    token.lastUsed ? words.used(ago(token.lastUsed)) : words.keys.unused,
    token.expires && !isOver(token) && words.keys.expiresAt(day(token.expires)),
  ];
  return (
    <li class="line">
      <div class="line-main">
        <p>
          <strong>{token.label}</strong>
          {token.isReadOnly && <span class="tag">{words.keys.readOnly}</span>}
          {token.isSuggestOnly && <span class="tag">{words.keys.suggestOnly}</span>}
          {token.isProposing && <span class="tag">{words.keys.proposing}</span>}
          {token.revoked ? (
            <span class="tag">{words.keys.revoked}</span>
          ) : (
            isOver(token) && <span class="tag">{words.keys.expired}</span>
          )}
        </p>
        <p class="quiet-text">{state.filter(Boolean).join(" · ")}</p>
      </div>
      {onRevoke && time.value === null && (
        <Button small kind="danger" onClick={onRevoke}>
          {words.keys.revoke}
        </Button>
      )}
    </li>
  );
}

function day(when: string): string {
  return new Date(when).toLocaleDateString(document.documentElement.lang, { dateStyle: "medium" });
}

const TERMS = { never: "", in30: "30d", in90: "90d", in365: "365d" } as const;
type Term = keyof typeof TERMS;

function Making(given: { groups: string[]; onClose: () => void; onMade: (made: Made) => void }) {
  const words = settingsWords();
  const [label, setLabel] = useState("");
  const [groups, setGroups] = useState<ReadonlySet<string>>(new Set());
  const [isReadOnly, setReadOnly] = useState(false);
  const [isSuggestOnly, setSuggestOnly] = useState(false);
  const [isProposing, setProposing] = useState(false);
  const [term, setTerm] = useState<Term>("in90");
  const [person, setPerson] = useState(me.peek()?.person.id ?? "");
  const people = useAnswer(
    () => call("page_people", {}),
    [],
    () => false,
  );
  const toggle = (group: string): void => {
    const next = new Set(groups);
    if (!next.delete(group)) next.add(group);
    setGroups(next);
  };
  const make = async (): Promise<void> => {
    const made = await call("page_make_token", {
      label: label.trim(),
      groups: [...groups],
      isReadOnly,
      isSuggestOnly,
      isProposing,
      personId: person,
      ...(TERMS[term] ? { expires: TERMS[term] } : {}),
    });
    given.onMade(made);
  };
  const terms = (Object.keys(TERMS) as Term[]).map((value) => ({
    value,
    label: value === "never" ? words.never : words.keys[value],
  }));
  const folk = people.value?.people ?? [];
  return (
    <FormDialog
      title={words.keys.make}
      button={words.keys.create}
      act={make}
      onClose={given.onClose}
    >
      <Field
        label={words.keys.label}
        value={label}
        onInput={setLabel}
        required
        autofocus
        maxLength={200}
        hint={words.keys.labelHint}
      />
      <fieldset class="checks">
        <legend>{words.keys.groups}</legend>
        {given.groups.map((group) => (
          <Check
            key={group}
            label={group}
            value={groups.has(group)}
            onChange={() => toggle(group)}
          />
        ))}
        <p class="field-hint">{words.keys.groupsHint}</p>
      </fieldset>
      <div class="checks">
        <Check
          label={words.keys.readOnly}
          hint={words.keys.readOnlyHint}
          value={isReadOnly}
          onChange={setReadOnly}
        />
        <Check
          label={words.keys.suggestOnly}
          hint={words.keys.suggestOnlyHint}
          value={isSuggestOnly}
          onChange={setSuggestOnly}
        />
        <Check
          label={words.keys.proposing}
          hint={words.keys.proposingHint}
          value={isProposing}
          onChange={setProposing}
        />
      </div>
      <div class="pair">
        {folk.length > 1 && (
          <Choice
            label={words.keys.user}
            value={person}
            of={folk.map((one) => ({ value: one.id, label: one.name }))}
            onChange={setPerson}
          />
        )}
        <Choice label={words.keys.expires} value={term} of={terms} onChange={setTerm} />
      </div>
    </FormDialog>
  );
}
