/** Edits a fact, only if it is still what the user began with. */
import { useState } from "preact/hooks";
import type { PageFactAnswer } from "../../../../docs/reference/page";
import { asToolError, call } from "../../api/tools";
import { Button } from "../../parts/button";
import { Diff } from "../../parts/diff";
import { tell, tellError } from "../../parts/notices";
import { textOf } from "../../parts/value";
import { Who } from "../../parts/who";
import { partWords } from "../../parts/words";
import { DraftFields, draftOf, valueOf } from "./form";
import { memoryWords } from "./words";

export interface EditingProps {
  /** As it is now, also when others change it meanwhile. */
  fact: PageFactAnswer;
  reload: () => void;
  onDone: () => void;
}

export function Editing({ fact, reload, onDone }: EditingProps) {
  const words = memoryWords();
  const [began, begin] = useState(fact);
  const [draft, setDraft] = useState(() => draftOf(fact.value, fact.tags));
  const [isStrict, setStrict] = useState(false);
  const [isRefused, refuse] = useState(false);
  const isBehind = isRefused || fact.version !== began.version;
  const send = async (version: number): Promise<void> => {
    const read = valueOf(draft);
    setStrict(true);
    if ("error" in read) return;
    try {
      const { key, namespace } = fact;
      const { value } = read;
      const { tags } = draft;
      const made = await call("strata_store", { key, namespace, value, tags, if_version: version });
      tell(made.unchanged ? words.unchanged : words.saved);
      onDone();
    } catch (caught) {
      if (asToolError(caught).status !== 409) return tellError(caught);
      refuse(true);
      reload();
    }
  };
  const saveMine = (): void => {
    begin(fact);
    refuse(false);
    void send(fact.version);
  };
  return (
    <form
      class="editing"
      aria-label={words.editing}
      onSubmit={(event) => {
        event.preventDefault();
        void send(began.version);
      }}
    >
      {isBehind && (
        <div class="behind" role="alert">
          <p>{words.changedMeanwhile}</p>
          {fact.version !== began.version && (
            <>
              <p class="behind-who">
                {words.theirs} <Who {...fact.who} />
              </p>
              <p class="past-value">
                <Diff before={textOf(began.value)} after={textOf(fact.value)} />
              </p>
            </>
          )}
          <p class="actions">
            <Button small onClick={onDone}>
              {words.takeTheirs}
            </Button>
            <Button small kind="danger" onClick={saveMine}>
              {words.saveMine}
            </Button>
          </p>
        </div>
      )}
      <DraftFields draft={draft} onChange={setDraft} isStrict={isStrict} autofocus />
      <div class="actions">
        <Button kind="primary" submits disabled={isBehind}>
          {words.save}
        </Button>
        <Button kind="quiet" onClick={onDone}>
          {partWords().cancel}
        </Button>
      </div>
    </form>
  );
}
