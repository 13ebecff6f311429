/** Makes a fact; one that is there already is left as it is. */
import { useState } from "preact/hooks";
import { asToolError, call } from "../../api/tools";
import { go } from "../../app/location";
import { Field } from "../../parts/field";
import { FormDialog } from "../../parts/form-dialog";
import { tell } from "../../parts/notices";
import { DraftFields, valueOf, type Draft } from "./form";
import { factLink } from "../../app/memory-address";
import { memoryWords } from "./words";

export interface MakingProps {
  namespace: string;
  /** What the name begins with, or the whole of it. */
  start: string;
  onClose: () => void;
  onMade: () => void;
}

export function Making({ namespace, start, onClose, onMade }: MakingProps) {
  const words = memoryWords();
  const [key, setKey] = useState(start);
  const [draft, setDraft] = useState<Draft>({ text: "", form: "text", tags: [] });
  const [isStrict, setStrict] = useState(false);
  const [isTaken, setTaken] = useState(false);
  const create = async (): Promise<false | void> => {
    const read = valueOf(draft);
    setStrict(true);
    if ("error" in read) return false;
    try {
      const name = key.trim();
      const { value } = read;
      const { tags } = draft;
      await call("strata_store", { key: name, value, tags, namespace, if_version: 0 });
      tell(words.saved);
      onMade();
      go(factLink(namespace, name));
    } catch (caught) {
      if (asToolError(caught).status !== 409) throw caught;
      setTaken(true);
      return false;
    }
  };
  return (
    <FormDialog
      title={words.makeTitle}
      button={words.create}
      class="making"
      act={create}
      onClose={onClose}
    >
      <Field
        label={words.key}
        value={key}
        onInput={(text) => {
          setKey(text);
          setTaken(false);
        }}
        required
        autofocus
        maxLength={1024}
        hint={words.keyHint}
        error={isTaken ? words.keyTaken : undefined}
      />
      {isTaken && (
        <a class="button small" href={factLink(namespace, key.trim())} onClick={onClose}>
          {words.openIt}
        </a>
      )}
      <DraftFields draft={draft} onChange={setDraft} isStrict={isStrict} />
    </FormDialog>
  );
}
