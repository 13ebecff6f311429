/** One decision about several suggestions, and taking it back as one. */
import { asToolError, call } from "../api/tools";
import type { Suggestion } from "../api/types";

export type Ruling = "accept" | "reject";

/** The suggestions that can be decided so: what no longer fits the text cannot be accepted. */
export function decidable(suggestions: readonly Suggestion[], ruling: Ruling): Suggestion[] {
  return suggestions.filter((one) => ruling === "reject" || one.state === "applies");
}

export interface Ruled {
  decided: string[];
  /** How many stay as they were, and why the first of them does. */
  left: number;
  error: unknown;
}

/** Decides about one suggestion after the other; stops where the server refuses all of them. */
export async function decideAll(
  documentId: string,
  ids: readonly string[],
  ruling: Ruling,
  onStep: (done: number) => void = () => undefined,
): Promise<Ruled> {
  const decided: string[] = [];
  let error: unknown = null;
  for (const [at, suggestionId] of ids.entries()) {
    try {
      await call("page_decide", { documentId, suggestionId, decision: ruling });
      decided.push(suggestionId);
    } catch (caught) {
      error ??= caught;
      if (!isAboutOne(caught)) break;
    }
    onStep(at + 1);
  }
  return { decided, left: ids.length - decided.length, error };
}

/** Takes decisions back, the newest first; returns how many of them were. */
export async function takeBackAll(documentId: string, ids: readonly string[]): Promise<number> {
  let count = 0;
  for (const suggestionId of ids.toReversed()) {
    const { version } = await call("page_reverse_decision", { documentId, suggestionId });
    if (version !== null) count++;
  }
  return count;
}

/** Whether an error is about one suggestion, such as that others have decided about it. */
function isAboutOne(error: unknown): boolean {
  const { status } = asToolError(error);
  return status >= 400 && status < 500 && ![401, 403, 429].includes(status);
}
