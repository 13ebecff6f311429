/** What one may do with comments and suggestions, and doing it. */
import { signal } from "@preact/signals";
import { call, ToolError } from "../api/tools";
import type { Comment, Reply, Role, Suggestion } from "../api/types";
import { mayWrite } from "../live/room";
import { tell, tellError } from "../parts/notices";
import { partWords } from "../parts/words";
import type { Board } from "./board";
import type { Draft } from "./draft";
import { decideAll, takeBackAll, type Ruling } from "./rulings";
import { reviewWords } from "./words";

export type Decision = "accept" | "reject" | "withdraw";

/** What the page knows that the desk has to ask for. */
export interface Host {
  me: () => string;
  role: () => Role;
  whenSaved: () => Promise<void>;
}

export class Desk {
  // What was decided last is taken back first; several decisions made at once are one. A batch is
  // listed while the server still works on it, so that an undo right after it waits for it.
  private past: Promise<readonly string[]>[] = [];
  /** How far a decision about several suggestions is, while one is made. */
  readonly progress = signal<{ done: number; count: number } | null>(null);

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
    const { suggestionId } = suggestion;
    return this.sendDecision(suggestion, () =>
      this.board.tools.suggestion(decision, { suggestionId }),
    );
  }

  /** Decides about several suggestions, says what became of them, and offers to take it back. */
  async decideAll(suggestions: readonly Suggestion[], ruling: Ruling): Promise<void> {
    const words = reviewWords();
    const ids = suggestions.map((one) => one.suggestionId);
    const count = ids.length;
    const onStep = (done: number): void => void (this.progress.value = { done, count });
    onStep(0);
    const work = this.host.whenSaved().then(() => decideAll(this.document, ids, ruling, onStep));
    const batch = this.remember(work.then(({ decided }) => decided));
    const { decided, left, error } = await work.finally(() => (this.progress.value = null));
    if (decided.length > 0) {
      const said = ruling === "accept" ? words.acceptedAll : words.rejectedAll;
      const undo = { label: partWords().undo, act: () => void this.undo(batch) };
      tell(said(decided.length), { action: undo });
    }
    if (left > 0) tell(words.ruledLeft(left), { kind: "error", hint: refusalOf(error) });
    await this.board.load();
  }

  /** Takes back what was decided last here, or one decision of those. */
  async undo(made = this.past.at(-1)): Promise<void> {
    if (!made || !this.past.includes(made)) return;
    this.forget(made);
    const words = reviewWords();
    try {
      const batch = await made;
      if (batch.length === 0) return;
      await this.host.whenSaved();
      const count = await takeBackAll(this.document, batch);
      if (count > 0) tell(words.takenBack(count));
      if (count < batch.length) tell(words.notTakenBack(batch.length - count), { kind: "error" });
    } catch (error) {
      tellError(error);
    }
    await this.board.load();
  }

  /** Makes a suggestion whose words have changed since, over the words as they are now. */
  async applyAnyway(suggestion: Suggestion): Promise<string | null> {
    const { suggestionId, replacementText: words } = suggestion;
    return this.sendDecision(suggestion, () =>
      call("page_decide", { documentId: this.document, suggestionId, decision: "accept", words }),
    );
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

  private async sendDecision(
    { suggestionId }: Suggestion,
    send: () => Promise<unknown>,
  ): Promise<string | null> {
    let refusal: string | null = null;
    const work = this.host.whenSaved().then(send);
    void this.remember(work.then(() => [suggestionId]));
    try {
      await work;
    } catch (error) {
      refusal = refusalOf(error);
    }
    await this.board.load();
    return refusal;
  }

  /** Lists decisions that are being made for undo; those that the server refused are left out. */
  private remember(decided: Promise<readonly string[]>): Promise<readonly string[]> {
    const batch = decided.catch((): readonly string[] => []);
    this.past.push(batch);
    void batch.then(({ length }) => {
      if (length === 0) this.forget(batch);
    });
    return batch;
  }

  private forget(batch: Promise<readonly string[]>): void {
    this.past = this.past.filter((one) => one !== batch);
  }

  private get document(): string {
    return this.board.tools.document;
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
  return [error.message, error.hint, error.said].filter(Boolean).join(" ");
}
