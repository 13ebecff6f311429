/** What is done with keys and passwords in what is written, and a box to try a text in. */
import { useId, useState } from "preact/hooks";
import type { PageSecretsAnswer, PageTrySecretsAnswer } from "../../../../docs/reference/page";
import { call } from "../../api/tools";
import { useAnswer } from "../../app/answers";
import { time } from "../../app/location";
import { Button } from "../../parts/button";
import { Commands } from "../../parts/commands";
import { Field } from "../../parts/field";
import { Head } from "../../parts/head";
import { tell, tellError } from "../../parts/notices";
import { Shown } from "../../parts/state";
import { When } from "../../parts/time";
import { Who } from "../../parts/who";
import { settingsWords } from "./words";

const MODES = ["refuse", "mask", "allow"] as const;
type Mode = (typeof MODES)[number];

export default function SecretsPart() {
  const words = settingsWords();
  const answer = useAnswer(
    () => call("page_secrets", {}),
    [],
    () => false,
  );
  return (
    <>
      <Head title={words.secrets} note={words.screen.note} />
      <Shown answer={answer}>
        {(found) => <ModeChoice key={found.mode} found={found} onChange={answer.reload} />}
      </Shown>
      <Trial />
      {answer.value && <Refused found={answer.value} />}
      <p class="quiet-text actions-below">
        <Commands text={words.screen.recorded} />
      </p>
    </>
  );
}

/** What was refused lately: kinds and senders, never what it was. */
function Refused({ found }: { found: PageSecretsAnswer }) {
  const words = settingsWords().screen;
  return (
    <>
      <h2>{words.refused(found.days)}</h2>
      {found.refused.length === 0 ? (
        <p class="quiet-text">{words.noneRefused}</p>
      ) : (
        <ul class="card-list" aria-label={words.refused(found.days)}>
          {found.refused.map((one, index) => (
            <li class="line" key={index}>
              <div class="line-main">
                <p>
                  <strong>{words.times(one.times)}</strong> <code>{one.kind}</code>
                </p>
                <p>
                  <Who {...one.who} />
                </p>
              </div>
              <span class="quiet-text">
                <When at={one.last} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function ModeChoice({ found, onChange }: { found: PageSecretsAnswer; onChange: () => void }) {
  const words = settingsWords().screen;
  const id = useId();
  const choose = async (mode: Mode): Promise<void> => {
    try {
      await call("page_set_secrets", { mode });
      tell(words.changed);
    } catch (error) {
      tellError(error);
    }
    onChange();
  };
  return (
    <div class="panel" role="radiogroup" aria-labelledby={id}>
      <p id={id} class="quiet-text">
        {words.mode}
      </p>
      {MODES.map((mode) => (
        <label key={mode} class="check">
          <input
            type="radio"
            name={id}
            checked={found.mode === mode}
            disabled={found.isFixed || time.value !== null}
            onChange={() => void choose(mode)}
          />
          <span>
            <strong>{words[mode]}</strong> <span class="quiet-text">{words[`${mode}Note`]}</span>
          </span>
        </label>
      ))}
      {found.isFixed && <p class="field-hint">{words.fixed}</p>}
    </div>
  );
}

function Trial() {
  const words = settingsWords().screen;
  const [text, setText] = useState("");
  const [found, show] = useState<PageTrySecretsAnswer | null>(null);
  const check = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      show(await call("page_try_secrets", { text }));
    } catch (error) {
      tellError(error);
    }
  };
  return (
    <>
      <h2>{words.try}</h2>
      <form class="settings-form" onSubmit={(event) => void check(event)}>
        <Field
          label={words.text}
          value={text}
          onInput={(value) => {
            setText(value);
            show(null);
          }}
          rows={4}
          required
          maxLength={100_000}
          hint={words.tryNote}
        />
        <div class="actions">
          <Button kind="primary" submits disabled={!text.trim()}>
            {words.check}
          </Button>
        </div>
      </form>
      <div role="status">{found && <Verdict found={found} />}</div>
    </>
  );
}

function Verdict({ found }: { found: PageTrySecretsAnswer }) {
  const words = settingsWords().screen;
  if (found.found.length === 0) return <p class="panel">{words.clean}</p>;
  const says = { refuse: words.wouldRefuse, mask: words.wouldMask, allow: words.wouldAllow };
  return (
    <div class="panel bad">
      <p>
        {words.found(found.found.length)} {says[found.mode as Mode]}
      </p>
      <ul>
        {found.found.map((one, index) => (
          <li key={index}>
            <code>{words.place(one.kind, one.line)}</code>
          </li>
        ))}
      </ul>
      {found.mode === "mask" && <pre class="value json">{found.masked}</pre>}
    </div>
  );
}
