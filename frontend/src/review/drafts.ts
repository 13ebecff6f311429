/** What is typed into cards and not sent yet: it stays while a card is folded or out of sight. */
import { useRef, useState } from "preact/hooks";
import { tell } from "../parts/notices";
import { reviewWords } from "./words";

/** By the card and the field, as long as the document is open. */
export type Drafts = Map<string, string>;

/** Gives the user, who leaves the document, what was not sent; it stays until it is closed. */
export function keepUnsent(drafts: Drafts): void {
  tell(reviewWords().unsent, { kind: "error", text: [...drafts.values()].join("\n\n") });
}

export interface DraftText {
  text: string;
  set: (text: string) => void;
  /** It was sent, or the user does not want it any more. */
  drop: () => void;
}

export function useDraft(drafts: Drafts, key: string, initial = ""): DraftText {
  const [text, show] = useState(drafts.get(key) ?? initial);
  const set = (typed: string): void => {
    show(typed);
    if (typed.trim() && typed !== initial) drafts.set(key, typed);
    else drafts.delete(key);
  };
  return { text, set, drop: () => set(initial) };
}

/** Sends something once at a time: a second press while the server is slow does nothing. */
export function useSending(act: () => Promise<void>): [boolean, () => void] {
  const [isBusy, setBusy] = useState(false);
  const isSending = useRef(false);
  const send = async (): Promise<void> => {
    if (isSending.current) return;
    isSending.current = true;
    setBusy(true);
    await act().finally(() => {
      isSending.current = false;
      setBusy(false);
    });
  };
  return [isBusy, () => void send()];
}
