/** Erases a fact for good, once the user has typed its name. */
import { useState } from "preact/hooks";
import type { PageFactAnswer } from "../../../../docs/reference/page";
import { call } from "../../api/tools";
import { Button } from "../../parts/button";
import { Dialog } from "../../parts/dialog";
import { Field } from "../../parts/field";
import { tell, tellError } from "../../parts/notices";
import { partWords } from "../../parts/words";
import { memoryWords } from "./words";

export interface PurgingProps {
  fact: PageFactAnswer;
  onClose: () => void;
  onDone: () => void;
}

export function Purging({ fact, onClose, onDone }: PurgingProps) {
  const words = memoryWords();
  const [typed, type] = useState("");
  const isSure = typed === fact.key;
  const { key, namespace } = fact;
  const erase = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!isSure) return;
    try {
      const erased = await call("page_purge", { key, namespace });
      tell(words.purged(erased.versions), erased.isComplete ? {} : { hint: words.purgedPartly });
      onDone();
    } catch (error) {
      tellError(error);
    }
    onClose();
  };
  const values = fact.history.filter((one) => one.state === "live").length;
  return (
    <Dialog title={words.purgeTitle} onClose={onClose}>
      <form onSubmit={(event) => void erase(event)}>
        <p>{words.purgeWhat(values)}</p>
        <Field label={words.purgeType(key)} value={typed} onInput={type} autofocus required />
        <div class="actions">
          <Button kind="danger" submits disabled={!isSure}>
            {words.purgeDo}
          </Button>
          <Button kind="quiet" onClick={onClose}>
            {partWords().cancel}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
