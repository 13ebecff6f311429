/** What there is to review, in the order of its words, as far as it is wanted. */
import type { Comment, Suggestion } from "../api/types";
import type { Board } from "./board";

export type Filter = "all" | "comments" | "suggestions" | "mine" | "resolved";

export interface Item {
  id: string;
  /** Where its words begin; null where they are not in the text. */
  at: number | null;
  comment?: Comment;
  suggestion?: Suggestion;
}

export function itemsOf(board: Board, filter: Filter, me: string): Item[] {
  const comments = board.comments.value.filter(
    (one) => (one.status === "active") !== (filter === "resolved"),
  );
  const isWanted = ({ comment, suggestion }: Item): boolean => {
    if (filter === "comments") return comment !== undefined;
    if (filter === "suggestions") return suggestion !== undefined;
    if (filter === "mine") return isTo(me, comment);
    return true;
  };
  const suggestions = filter === "resolved" ? [] : board.suggestions.value;
  const at = (id: string): number | null => board.placeOf(id)?.from ?? null;
  const items: Item[] = [
    ...suggestions.map((one) => ({
      id: one.suggestionId,
      at: at(one.suggestionId),
      suggestion: one,
    })),
    ...comments.map((one) => ({ id: one.commentId, at: at(one.commentId), comment: one })),
  ];
  return items.filter(isWanted).sort((a, b) => orderOf(a) - orderOf(b));
}

/** Whether a thread names a user, in any of its messages. */
function isTo(name: string, comment: Comment | undefined): boolean {
  if (!comment || !name) return false;
  return [comment, ...(comment.replies ?? [])].some(({ body }) => body.includes(`@${name}`));
}

/** What is about words that are gone comes last. */
function orderOf({ at }: Item): number {
  return at ?? Number.MAX_SAFE_INTEGER;
}
