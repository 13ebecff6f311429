/** Deletes documents for ever, after telling what goes and once the user has typed a word. */
import { useState } from "preact/hooks";
import { call } from "../../api/tools";
import { useAnswer } from "../../app/answers";
import { Confirm } from "../../parts/confirm";
import { Field } from "../../parts/field";
import { tell } from "../../parts/notices";
import { Shown } from "../../parts/state";
import { trashWords } from "./words";

const TITLES_SHOWN = 5;

export interface ErasingProps {
  lines: readonly { id: string; title: string }[];
  onClose: () => void;
  onDone: () => void;
}

export function Erasing({ lines, onClose, onDone }: ErasingProps) {
  const words = trashWords();
  const [typed, type] = useState("");
  const documentIds = lines.map((one) => one.id);
  const answer = useAnswer(
    () => call("page_erasure", { documentIds }),
    [documentIds],
    () => false,
  );
  const isSure = typed.trim().toLowerCase() === words.eraseWord;
  const erase = async (): Promise<void> => {
    try {
      const done = await call("page_erase_documents", { documentIds });
      tell(words.erased(done.documents), done.isComplete ? {} : { hint: words.erasedPartly });
    } finally {
      onDone();
    }
  };
  return (
    <Confirm
      title={words.eraseTitle(lines.length)}
      button={words.eraseNow}
      disabled={!isSure}
      act={erase}
      onClose={onClose}
    >
      <ul class="erased-titles">
        {lines.slice(0, TITLES_SHOWN).map((one) => (
          <li key={one.id}>{one.title || words.untitled}</li>
        ))}
        {lines.length > TITLES_SHOWN && <li>…</li>}
      </ul>
      <Shown answer={answer}>
        {(found) => (
          <>
            <p>
              {words.eraseWhat(
                words.versions(found.versions, found.isMore),
                found.comments,
                found.images,
              )}
            </p>
            {found.published > 0 && <p>{words.erasePublished(found.published)}</p>}
          </>
        )}
      </Shown>
      <p>{words.eraseBranches}</p>
      <Field
        label={words.eraseType(words.eraseWord)}
        value={typed}
        onInput={type}
        autofocus
        required
      />
    </Confirm>
  );
}
