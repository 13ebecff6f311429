/** Where a new comment or suggestion is written, about the words that were selected. */
import { useState } from "preact/hooks";
import { Button } from "../parts/button";
import type { Draft } from "./draft";
import { Mentions } from "./mentions";
import { reviewWords } from "./words";

export interface ComposerProps {
  draft: Draft;
  post: (draft: Draft, text: string, rationale: string) => Promise<boolean>;
  onClose: () => void;
  names: () => readonly string[];
}

export function Composer({ draft, post, onClose, names }: ComposerProps) {
  const words = reviewWords();
  const isComment = draft.kind === "comment";
  const [text, setText] = useState(isComment ? "" : draft.text);
  const [why, setWhy] = useState("");
  const send = async (): Promise<void> => {
    const body = isComment ? text.trim() : text;
    if (isComment && !body) return;
    if (await post(draft, body, why.trim())) onClose();
  };
  const key = (event: KeyboardEvent): void => {
    if (event.key === "Escape") onClose();
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void send();
  };
  return (
    <form
      class="card composer is-chosen"
      data-card="draft"
      aria-label={isComment ? words.newComment : words.newSuggestion}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      onKeyDown={key}
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
        onInput={setText}
      />
      {!isComment && (
        <input
          type="text"
          aria-label={words.reason}
          placeholder={words.why}
          value={why}
          onInput={(event) => setWhy(event.currentTarget.value)}
        />
      )}
      <div class="actions">
        <Button small kind="primary" submits>
          {isComment ? words.comment : words.suggest}
        </Button>
        <Button small kind="quiet" onClick={onClose}>
          {words.cancel}
        </Button>
      </div>
    </form>
  );
}
