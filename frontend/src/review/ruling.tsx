/** Says what a decision about all suggestions will do, and makes it. */
import { useState } from "preact/hooks";
import type { Suggestion } from "../api/types";
import { Diff } from "../parts/diff";
import { FormDialog } from "../parts/form-dialog";
import { tellError } from "../parts/notices";
import type { Desk } from "./desk";
import { decidable, type Ruling } from "./rulings";
import { reviewWords } from "./words";

const SHOWN = 5;

export interface RulingDialogProps {
  desk: Desk;
  ruling: Ruling;
  /** The suggestions that are listed, in the order of their words. */
  suggestions: readonly Suggestion[];
  onClose: () => void;
}

export function RulingDialog({ desk, ruling, suggestions, onClose }: RulingDialogProps) {
  const words = reviewWords();
  // What was listed when the user asked: others may add some meanwhile.
  const [listed] = useState(suggestions);
  const meant = decidable(listed, ruling);
  const late = listed.length - meant.length;
  const isAccepting = ruling === "accept";
  // The dialog closes at once: keys, and so an undo, work while the server still decides.
  const act = async (): Promise<void> => void desk.decideAll(meant, ruling).catch(tellError);
  return (
    <FormDialog
      title={isAccepting ? words.acceptAll : words.rejectAll}
      button={isAccepting ? words.acceptCount(meant.length) : words.rejectCount(meant.length)}
      disabled={meant.length === 0}
      act={act}
      onClose={onClose}
    >
      <p>{isAccepting ? words.acceptsAll(meant.length) : words.rejectsAll(meant.length)}</p>
      <ul class="ruled">
        {meant.slice(0, SHOWN).map((one) => (
          <li key={one.suggestionId}>
            <Diff before={one.originalText} after={one.replacementText} />
          </li>
        ))}
        {meant.length > SHOWN && <li>{words.ruledMore(meant.length - SHOWN)}</li>}
      </ul>
      {late > 0 && <p>{words.acceptsNot(late)}</p>}
      <p>{words.ruledUndo}</p>
    </FormDialog>
  );
}
