/** What is said about a document: fetched from the server, placed in the text, drawn beside it. */
import type { DocumentTools } from "../api/tools";
import type { Comment, Suggestion } from "../api/types";
import { Anchors } from "../editor/anchors";
import type { Mark } from "../editor/marks";
import type { Room } from "../live/room";
import { Signal } from "../page/signal";

// The server may be a moment behind or ahead of the text here; then its places are asked for again.
const AGAIN_MS = 400;
// Only the server can tell whether words are gone, read otherwise, or came back; it is asked when
// no user has typed for this long.
const QUIET_MS = 1200;

export interface Chosen {
  kind: Mark["kind"];
  id: string;
}

export class Board {
  comments: Comment[] = [];
  suggestions: Suggestion[] = [];
  chosen: Chosen | null = null;
  readonly changed = new Signal<void>();
  readonly choiceChanged = new Signal<void>();
  readonly failed = new Signal<Error>();
  private readonly anchors: Anchors;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private loading: Promise<void> | null = null;
  private isStale = false;
  private isClosed = false;

  constructor(
    private readonly room: Room,
    readonly tools: DocumentTools,
  ) {
    this.anchors = new Anchors(room);
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
  }

  /** Fetches everything anew; of several calls at once only one more is made. */
  async load(): Promise<void> {
    if (this.loading) {
      this.isStale = true;
      return this.loading;
    }
    this.loading = this.fetch();
    await this.loading;
    this.loading = null;
    if (this.isStale) {
      this.isStale = false;
      await this.load();
    }
  }

  /** The text has changed: looks again at what is said about it, once it is quiet. */
  textChanged(): void {
    if (this.comments.length + this.suggestions.length > 0) this.loadAfter(QUIET_MS);
  }

  choose(chosen: Chosen | null): void {
    if (chosen?.id === this.chosen?.id) return;
    this.chosen = chosen;
    this.choiceChanged.emit();
  }

  /** What to draw over the text as it is now. */
  marks(): Mark[] {
    const open = this.comments.filter((comment) => comment.status === "active");
    const comments = open.map((one) => this.mark("comment", one.commentId));
    const fitting = this.suggestions.filter((suggestion) => suggestion.state === "applies");
    const suggestions = fitting.map((one) =>
      this.mark("suggestion", one.suggestionId, one.replacementText),
    );
    return [...comments, ...suggestions].filter((mark) => mark !== null);
  }

  /** Where something is in the text; the end of the text for what is nowhere in it. */
  orderOf(id: string): number {
    return this.anchors.placeOf(id)?.from ?? Number.MAX_SAFE_INTEGER;
  }

  placeOf(id: string): number | null {
    return this.anchors.placeOf(id)?.from ?? null;
  }

  private take(comments: Comment[], suggestions: Suggestion[]): void {
    this.comments = comments;
    this.suggestions = suggestions;
    const text = this.room.text.toString();
    const placed = [
      ...comments.map((one) => this.anchors.take(one.commentId, one, one.quotedText ?? "", text)),
      ...suggestions.map((one) => this.anchors.take(one.suggestionId, one, one.originalText, text)),
    ];
    if (placed.includes(false)) this.loadAfter(AGAIN_MS);
    this.changed.emit();
  }

  private async fetch(): Promise<void> {
    try {
      const [comments, suggestions] = await Promise.all([
        this.tools.comments(),
        this.tools.suggestions(),
      ]);
      if (!this.isClosed) this.take(comments, suggestions);
    } catch (error) {
      if (!this.isClosed) this.failed.emit(error as Error);
    }
  }

  private loadAfter(delay: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.load(), delay);
  }

  private mark(kind: Mark["kind"], id: string, replacement?: string): Mark | null {
    const found = this.anchors.placeOf(id);
    if (!found || (found.from === found.to && !replacement)) return null;
    const rest = replacement === undefined ? {} : { replacement };
    return { kind, id, ...found, ...rest, isChosen: this.chosen?.id === id };
  }
}
