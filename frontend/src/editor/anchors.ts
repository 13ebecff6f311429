/** Keeps the places of comments and suggestions while everybody types.
 *
 * The server names places in its text, which may be a moment older or newer than the one here. So a
 * place is taken over where the words are as the server says, kept as a relative position, and
 * follows the words from then on, as the server's own anchor does.
 */
import * as Y from "yjs";
import type { Anchored } from "../api/types";
import type { Room } from "../live/room";

export interface Place {
  from: number;
  to: number;
}

interface Anchor {
  from: Y.RelativePosition;
  to: Y.RelativePosition;
}

export class Anchors {
  private readonly known = new Map<string, Anchor>();

  constructor(private readonly room: Room) {}

  /** Takes over a place where `words` should stand in `text`, and tells whether it could. */
  take(id: string, told: Anchored, words: string, text = this.room.text.toString()): boolean {
    if (told.orphaned || told.start === undefined || told.end === undefined) {
      this.known.delete(id);
      return true;
    }
    const isThere = text.slice(told.start, told.end) === words;
    const isCertain = isThere || !this.room.hasUnsaved;
    if (isCertain && told.end <= this.room.text.length) {
      this.known.set(id, { from: this.at(told.start, 0), to: this.at(told.end, -1) });
    }
    return isCertain || this.known.has(id);
  }

  /** Where the words stand now; null when they are gone or were never found. */
  placeOf(id: string): Place | null {
    const anchor = this.known.get(id);
    const from = anchor && Y.createAbsolutePositionFromRelativePosition(anchor.from, this.room.doc);
    const to = anchor && Y.createAbsolutePositionFromRelativePosition(anchor.to, this.room.doc);
    return from && to && to.index >= from.index ? { from: from.index, to: to.index } : null;
  }

  private at(index: number, side: number): Y.RelativePosition {
    return Y.createRelativePositionFromTypeIndex(this.room.text, index, side);
  }
}
