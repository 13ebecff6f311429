/** Behind a link that lets in: says what it offers, to a user or to a new person, who may join. */
import { useEffect, useState } from "preact/hooks";
import { asToolError, joinByLink, lookAtLink, type Offer, type ToolError } from "../../api/tools";
import { Button } from "../../parts/button";
import { Commands, Said } from "../../parts/commands";
import { Field } from "../../parts/field";
import { Empty } from "../../parts/state";
import { joinWords } from "./words";

// While the user signs in, the code waits in this tab: an address would end up in logs.
const KEPT = "strata-join";
const NAME_CHARACTERS_MAX = 100;

export default function JoinScreen() {
  const words = joinWords();
  const [code, setCode] = useState(takeCode);
  const [offer, setOffer] = useState<Offer | null>(null);
  const [refusal, refuse] = useState<ToolError | null>(null);
  useEffect(() => {
    // Another link that is pasted into this tab changes only what is behind the `#`.
    const change = (): void => void (location.hash && setCode(takeCode()));
    addEventListener("hashchange", change);
    return () => removeEventListener("hashchange", change);
  }, []);
  useEffect(() => {
    // The code is gone from the address, and from the history, before anything else happens.
    history.replaceState(null, "", "/join");
    document.title = `${words.title} – Strata`;
    setOffer(null);
    refuse(null);
    let isNewest = true;
    lookAtLink(code).then(
      (found) => isNewest && setOffer(found),
      (error: unknown) => isNewest && refuse(asToolError(error)),
    );
    return () => void (isNewest = false);
  }, [code]);
  const join = async (name: string | null): Promise<void> => {
    try {
      location.replace((await joinByLink(code, name)).path);
    } catch (error) {
      refuse(asToolError(error));
    }
  };
  const signIn = (): void => {
    sessionStorage.setItem(KEPT, code);
    location.assign("/sign-in?next=%2Fjoin");
  };
  return (
    <main class="screen">
      <Empty title={refusal ? words.refused : offer ? saying(offer) : words.title} isWhole>
        {refusal ? (
          <>
            <p>
              <Commands text={refusal.status === 404 ? words.refusedHint : refusal.message} />
            </p>
            {refusal.status !== 404 && <Said text={refusal.said} />}
            <a class="button" href="/">
              {words.toInbox}
            </a>
          </>
        ) : !offer ? (
          <p role="status">{words.looking}</p>
        ) : offer.signIn ? (
          <Button kind="primary" onClick={signIn}>
            {words.signIn}
          </Button>
        ) : offer.user ? (
          <>
            <p>{words.asUser(offer.user)}</p>
            <Button kind="primary" onClick={() => void join(null)}>
              {words.join}
            </Button>
          </>
        ) : (
          <Newcomer join={join} signIn={signIn} />
        )}
      </Empty>
    </main>
  );
}

function takeCode(): string {
  const code = location.hash.slice(1) || (sessionStorage.getItem(KEPT) ?? "");
  sessionStorage.removeItem(KEPT);
  return code;
}

function saying({ signIn, by = "", role = "viewer", team, title }: Offer): string {
  const words = joinWords();
  if (signIn) return words.signInFirst;
  if (team) return words.offerTeam(by, team);
  return words.offerDocument[role](by, title || words.untitled);
}

function Newcomer(given: { join: (name: string) => Promise<void>; signIn: () => void }) {
  const words = joinWords();
  const [name, setName] = useState("");
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim()) void given.join(name.trim());
      }}
    >
      <Field
        label={words.name}
        hint={words.nameHint}
        value={name}
        onInput={setName}
        required
        autofocus
        maxLength={NAME_CHARACTERS_MAX}
      />
      <div class="actions">
        <Button kind="primary" submits>
          {words.join}
        </Button>
        <Button kind="quiet" onClick={given.signIn}>
          {words.haveUser}
        </Button>
      </div>
    </form>
  );
}
