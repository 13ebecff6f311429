/** What one may do with comments and suggestions, and doing it. */
import { ToolError } from "../api/tools";
import type { Comment, Role, Suggestion } from "../api/types";
import { mayWrite } from "../live/room";
import { tell } from "../page/notices";
import type { Board } from "./board";
import type { ThreadActions } from "./comment-card";
import type { Draft } from "./composer";
import type { Decision, SuggestionActions } from "./suggestion-card";

/** What the page knows that the desk has to ask for. */
export interface Host {
  me: () => string;
  role: () => Role;
  whenSaved: () => Promise<void>;
  reveal: (id: string) => void;
}

export class Desk implements ThreadActions, SuggestionActions {
  constructor(
    private readonly board: Board,
    private readonly host: Host,
  ) {}

  choose(kind: "comment" | "suggestion", id: string): void {
    if (this.board.chosen?.id === id) return;
    this.board.choose({ kind, id });
    this.host.reveal(id);
  }

  reply(comment: Comment, body: string): Promise<boolean> {
    return this.attempt(() =>
      this.board.tools.comment("reply", { parentCommentId: comment.commentId, body }),
    );
  }

  settle(comment: Comment, action: "resolve" | "reopen"): Promise<boolean> {
    return this.attempt(() => this.board.tools.comment(action, { commentId: comment.commentId }));
  }

  /** Returns why it was refused, or null. */
  async decide(suggestion: Suggestion, decision: Decision): Promise<string | null> {
    try {
      await this.host.whenSaved();
      await this.board.tools.suggestion(decision, { suggestionId: suggestion.suggestionId });
    } catch (error) {
      return refusalOf(error);
    }
    await this.board.load();
    return null;
  }

  /** Files what was written about the selected words. */
  post(draft: Draft, text: string, rationale: string): Promise<boolean> {
    const where = {
      start: draft.start,
      ...(draft.path.length ? { headingContext: draft.path } : {}),
    };
    const words = {
      originalText: draft.words,
      replacementText: text,
      ...(rationale ? { rationale } : {}),
    };
    return this.attempt(async () => {
      // The server has to know the words before it can find them.
      await this.host.whenSaved();
      return draft.kind === "comment"
        ? this.board.tools.comment("create", { body: text, quotedText: draft.words, ...where })
        : this.board.tools.suggestion("propose", { ...words, ...where });
    });
  }

  mayComment(): boolean {
    return this.host.role() !== "viewer";
  }

  mayEdit(): boolean {
    return mayWrite(this.host.role());
  }

  isMine(suggestion: Suggestion): boolean {
    return suggestion.authorId === this.host.me();
  }

  private async attempt(act: () => Promise<unknown>): Promise<boolean> {
    try {
      await act();
    } catch (error) {
      tell(refusalOf(error), "error");
      return false;
    }
    await this.board.load();
    return true;
  }
}

/** A refusal in words, with the text as it is now where the server says it. */
function refusalOf(error: unknown): string {
  if (!(error instanceof ToolError)) return error instanceof Error ? error.message : String(error);
  const now = error.details["currentText"];
  const current = typeof now === "string" && now ? `It now reads: “${now}”` : "";
  return [error.message, error.hint, current].filter(Boolean).join(" ");
}
