/** Where a new comment or suggestion is written, about the words that were selected. */
import { Button } from "../parts/button";
import type { Draft } from "./draft";
import { type Drafts, useDraft, useSending } from "./drafts";
import { Mentions } from "./mentions";
import { reviewWords } from "./words";

export interface ComposerProps {
  draft: Draft;
  drafts: Drafts;
  post: (draft: Draft, text: string, rationale: string) => Promise<boolean>;
  onClose: () => void;
  names: () => readonly string[];
}

export function Composer({ draft, drafts, post, onClose, names }: ComposerProps) {
  const words = reviewWords();
  const isComment = draft.kind === "comment";
  const key = keyOf(draft);
  const { text, set, drop } = useDraft(drafts, key, isComment ? "" : draft.text);
  const why = useDraft(drafts, `${key} why`);
  const close = (): void => {
    drop();
    why.drop();
    onClose();
  };
  const [isBusy, send] = useSending(async () => {
    const body = isComment ? text.trim() : text;
    if (isComment && !body) return;
    if (await post(draft, body, why.text.trim())) close();
  });
  const press = (event: KeyboardEvent): void => {
    if (event.key === "Escape") close();
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) send();
  };
  return (
    <form
      class="card composer is-chosen"
      data-card="draft"
      aria-label={isComment ? words.newComment : words.newSuggestion}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onKeyDown={press}
    >
      <blockquote>{draft.words}</blockquote>
      <Mentions
        label={isComment ? words.comment : words.suggested}
        placeholder={isComment ? words.commentHere : words.suggestHere}
        value={text}
        rows={3}
        autofocus
        required={isComment}
        names={isComment ? names : () => []}
        onInput={set}
      />
      {!isComment && (
        <input
          type="text"
          aria-label={words.reason}
          placeholder={words.why}
          value={why.text}
          onInput={(event) => why.set(event.currentTarget.value)}
        />
      )}
      <div class="actions">
        <Button small kind="primary" submits disabled={isBusy}>
          {isComment ? words.comment : words.suggest}
        </Button>
        <Button small kind="quiet" onClick={close}>
          {words.cancel}
        </Button>
      </div>
    </form>
  );
}

/** By what a draft is known: a comment goes on about other words, a suggestion does not. */
export function keyOf({ kind, start, words }: Draft): string {
  return kind === "comment" ? kind : `${kind} ${start} ${words}`;
}
