/** What is said about a document: fetched from the server, placed in the text, drawn beside it. */
import { batch, signal } from "@preact/signals";
import type { DocumentTools } from "../api/tools";
import type { Comment, Suggestion } from "../api/types";
import { Anchors, type Place } from "../editor/anchors";
import type { Mark } from "../editor/marks";
import type { Room } from "../live/room";
import { warnBeforeLeaving } from "../page/leaving";
import { Signal } from "../page/signal";
import type { Drafts } from "./drafts";

// The server may be a moment behind or ahead of the text here; then its places are asked for again.
const AGAIN_MS = 400;
// Only the server can tell whether words are gone, read otherwise, or came back; it is asked when
// no user has typed for this long.
const QUIET_MS = 1200;

export class Board {
  readonly comments = signal<Comment[]>([]);
  readonly suggestions = signal<Suggestion[]>([]);
  /** The comment or suggestion that is looked at. */
  readonly chosen = signal<string | null>(null);
  /** Whether it is known what is said: until then there may be more than nothing. */
  readonly isLoaded = signal(false);
  readonly failed = new Signal<Error>();
  /** What was typed into cards and not sent yet. */
  readonly drafts: Drafts = new Map();
  private readonly stopWarning = warnBeforeLeaving(() => this.drafts.size > 0);
  /** Counts how often the words may have moved. */
  private readonly moves = signal(0);
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
    this.stopWarning();
    // Loaded already where something was typed.
    if (this.drafts.size > 0) {
      void import("./drafts").then(({ keepUnsent }) => keepUnsent(this.drafts));
    }
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
    const isEmpty = this.comments.peek().length + this.suggestions.peek().length === 0;
    if (!isEmpty) this.loadAfter(QUIET_MS);
  }

  placesChanged(): void {
    this.moves.value++;
  }

  /** What to draw over the text as it is now. */
  marks(): Mark[] {
    void this.moves.value;
    const open = this.comments.value.filter((comment) => comment.status === "active");
    const comments = open.map((one) => this.mark("comment", one.commentId));
    const fitting = this.suggestions.value.filter((suggestion) => suggestion.state === "applies");
    const suggestions = fitting.map((one) =>
      this.mark("suggestion", one.suggestionId, one.replacementText),
    );
    return [...comments.filter((mark) => mark !== null), ...apart(suggestions)];
  }

  /** Where something is in the text; null for what is nowhere in it. */
  placeOf(id: string): Place | null {
    void this.moves.value;
    return this.anchors.placeOf(id);
  }

  private take(comments: Comment[], suggestions: Suggestion[]): void {
    const text = this.room.text.toString();
    const placed = [
      ...comments.map((one) => this.anchors.take(one.commentId, one, one.quotedText ?? "", text)),
      ...suggestions.map((one) => this.anchors.take(one.suggestionId, one, one.originalText, text)),
    ];
    if (placed.includes(false)) this.loadAfter(AGAIN_MS);
    batch(() => {
      this.comments.value = comments;
      this.suggestions.value = suggestions;
      this.isLoaded.value = true;
      this.moves.value++;
    });
  }

  private async fetch(): Promise<void> {
    try {
      const { comments, suggestions } = await this.tools.said();
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
    return { kind, id, ...found, ...rest, isChosen: this.chosen.value === id };
  }
}

/**
 * Draws one of several suggestions about the same words whole: the chosen one, or the first. The
 * others only mark theirs; drawn into each other, none could be read.
 */
export function apart(given: readonly (Mark | null)[]): Mark[] {
  const marks = given.filter((mark) => mark !== null);
  const whole: Mark[] = [];
  const order = marks.toSorted(
    (a, b) => Number(b.isChosen) - Number(a.isChosen) || a.from - b.from,
  );
  for (const mark of order) {
    const isFree = whole.every((other) => mark.to <= other.from || mark.from >= other.to);
    if (isFree) whole.push(mark);
  }
  return marks.map((mark) => (whole.includes(mark) ? mark : { ...mark, isBeside: true }));
}
