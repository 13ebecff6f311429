/** Suggesting by writing: the user edits a copy of the text, and the changes become suggestions. */
import { ChangeSet } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { useEffect, useRef, useState } from "preact/hooks";
import { formatting, moving, undoing } from "../editor/late";
import { warnBeforeLeaving } from "../page/leaving";
import { Button } from "../parts/button";
import { tell, tellError } from "../parts/notices";
import { hunksOf, movedTo, type Hunk } from "../review/hunks";
import type { Seat } from "./seat";
import type { Sheet } from "./sheet";
import { suggestingWords } from "./suggesting-words";

/** A copy of the text in an editor, and what was changed in it. */
class Copy {
  readonly before: string;
  private readonly view: EditorView;
  private changes: ChangeSet;
  private isSent = false;

  constructor(place: HTMLElement, seat: Seat, onChange: () => void) {
    this.before = seat.room.text.toString();
    this.changes = ChangeSet.empty(this.before.length);
    const listen = EditorView.updateListener.of((update) => {
      if (!update.docChanged) return;
      this.changes = this.changes.compose(update.changes);
      onChange();
    });
    this.view = seat.copy(place, [undoing, formatting, moving, listen]);
    this.view.focus();
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  hunks(): Hunk[] {
    return hunksOf(this.changes, this.before, this.text);
  }

  /** Whether something would be lost. */
  get isOpen(): boolean {
    return !this.isSent && this.text !== this.before;
  }

  done(): void {
    this.isSent = true;
  }

  close(): void {
    // A user who leaves without sending keeps what was written until the notice is closed.
    if (this.isOpen) tell(suggestingWords().unsent, { kind: "error", text: this.text });
    this.view.destroy();
  }
}

export function Suggesting({ sheet }: { sheet: Sheet }) {
  const words = suggestingWords();
  const place = useRef<HTMLDivElement>(null);
  const copy = useRef<Copy | null>(null);
  const [count, setCount] = useState(0);
  const [isBusy, setBusy] = useState(false);
  const leave = (): void => void (sheet.isSuggesting.value = false);
  useEffect(() => {
    const seat = sheet.seat.peek();
    if (!seat || !place.current) return leave();
    const made = new Copy(place.current, seat, () => setCount(made.hunks().length));
    copy.current = made;
    const stop = warnBeforeLeaving(() => made.isOpen);
    return () => {
      stop();
      made.close();
    };
  }, []);
  const send = async (): Promise<void> => {
    const made = copy.current;
    const seat = sheet.seat.value;
    if (!made || !seat || isBusy) return;
    setBusy(true);
    const refused = await propose(sheet, made);
    await seat.board.load();
    setBusy(false);
    made.done();
    if (refused.length === 0) tell(words.suggestionsSent(count));
    else tell(words.suggestionsRefused(refused.length), { kind: "error", text: texts(refused) });
    leave();
  };
  return (
    <>
      <div class="banner suggesting" role="group" aria-label={words.suggestMode}>
        <p role="status">{count > 0 ? words.suggestionsReady(count) : words.suggestNote}</p>
        <Button small kind="primary" disabled={count === 0 || isBusy} onClick={() => void send()}>
          {words.sendSuggestions}
        </Button>
        <Button small onClick={leave}>
          {words.leaveSuggesting}
        </Button>
      </div>
      <div ref={place} class="suggesting-text" />
    </>
  );
}

/** Files what was changed, one suggestion after the other, and returns what was refused. */
async function propose(sheet: Sheet, copy: Copy): Promise<Hunk[]> {
  const refused: Hunk[] = [];
  for (const hunk of copy.hunks()) {
    const now = sheet.seat.peek()?.room.text.toString() ?? copy.before;
    try {
      await sheet.tools.suggestion("propose", {
        originalText: hunk.original,
        replacementText: hunk.replacement,
        start: movedTo(hunk.start, copy.before, now),
      });
    } catch (error) {
      tellError(error);
      refused.push(hunk);
    }
  }
  return refused;
}

function texts(hunks: readonly Hunk[]): string {
  return hunks.map((one) => one.replacement).join("\n\n");
}
