/** What one may do with comments and suggestions, and doing it. */
import { ToolError } from "../api/tools";
import type { Comment, Reply, Role, Suggestion } from "../api/types";
import { mayWrite } from "../live/room";
import { tell } from "../parts/notices";
import type { Board } from "./board";
import type { Draft } from "./draft";
import { reviewWords } from "./words";

export type Decision = "accept" | "reject" | "withdraw";

/** What the page knows that the desk has to ask for. */
export interface Host {
  me: () => string;
  role: () => Role;
  whenSaved: () => Promise<void>;
  /** Puts other words in the place of some. */
  replace: (from: number, to: number, words: string) => void;
}

export class Desk {
  constructor(
    readonly board: Board,
    private readonly host: Host,
  ) {}

  reply(comment: Comment, body: string): Promise<boolean> {
    return this.attempt(() =>
      this.board.tools.comment("reply", { parentCommentId: comment.commentId, body }),
    );
  }

  settle(comment: Comment, action: "resolve" | "reopen"): Promise<boolean> {
    return this.attempt(() => this.board.tools.comment(action, { commentId: comment.commentId }));
  }

  edit(said: Reply, body: string): Promise<boolean> {
    return this.attempt(() =>
      this.board.tools.comment("edit", { commentId: said.commentId, body }),
    );
  }

  remove(said: Reply): Promise<boolean> {
    return this.attempt(() => this.board.tools.comment("delete", { commentId: said.commentId }));
  }

  /** Returns why it was refused, or null. */
  async decide(suggestion: Suggestion, decision: Decision): Promise<string | null> {
    try {
      await this.host.whenSaved();
      await this.board.tools.suggestion(decision, { suggestionId: suggestion.suggestionId });
    } catch (error) {
      await this.board.load();
      return refusalOf(error);
    }
    await this.board.load();
    return null;
  }

  /** Makes a suggestion whose words have changed since, over the words as they are now. */
  async applyAnyway(suggestion: Suggestion): Promise<string | null> {
    const place = this.board.placeOf(suggestion.suggestionId);
    if (!place) return reviewWords().wordsGone;
    this.host.replace(place.from, place.to, suggestion.replacementText);
    return this.decide(suggestion, "reject");
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
      if (draft.kind === "comment") {
        const given = { body: text, quotedText: draft.words, ...where };
        await this.board.tools.comment("create", given);
        return;
      }
      await this.board.tools.suggestion("propose", { ...words, ...where });
      if (draft.replaces) {
        await this.board.tools.suggestion("reject", { suggestionId: draft.replaces });
      }
    });
  }

  mayComment(): boolean {
    return this.host.role() !== "viewer";
  }

  mayEdit(): boolean {
    return mayWrite(this.host.role());
  }

  mayDelete(said: Reply): boolean {
    const isManaging = ["admin", "owner"].includes(this.host.role());
    return this.mayComment() && (isManaging || this.isMine(said));
  }

  isMine(said: { authorId: string }): boolean {
    return said.authorId === this.host.me();
  }

  private async attempt(act: () => Promise<unknown>): Promise<boolean> {
    try {
      await act();
    } catch (error) {
      tell(refusalOf(error), { kind: "error" });
      return false;
    }
    await this.board.load();
    return true;
  }
}

/** A refusal in words; the message of a conflict says how the text reads now. */
function refusalOf(error: unknown): string {
  if (!(error instanceof ToolError)) return error instanceof Error ? error.message : String(error);
  return [error.message, error.hint].filter(Boolean).join(" ");
}
