/** Erases a fact for good, once the user has typed its name. */
import { useState } from "preact/hooks";
import type { PageFactAnswer } from "../../../../docs/reference/page";
import { call } from "../../api/tools";
import { Confirm } from "../../parts/confirm";
import { Field } from "../../parts/field";
import { tell } from "../../parts/notices";
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
  const erase = async (): Promise<void> => {
    const erased = await call("page_purge", { key, namespace });
    tell(words.purged(erased.versions), erased.isComplete ? {} : { hint: words.purgedPartly });
    onDone();
  };
  const values = fact.history.filter((one) => one.state === "live").length;
  return (
    <Confirm
      title={words.purgeTitle}
      button={words.purgeDo}
      disabled={!isSure}
      act={erase}
      onClose={onClose}
    >
      <p>{words.purgeWhat(values)}</p>
      <Field label={words.purgeType(key)} value={typed} onInput={type} autofocus required />
    </Confirm>
  );
}
