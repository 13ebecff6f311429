/** Edits on their way to the server: one message at a time, the rest waits and goes as one.
 *
 * A deletion moves no clock of Yjs, so clocks cannot say whether it is safe. With one message under
 * way, the next "saved" is about that one, whatever it holds.
 */
import * as Y from "yjs";

export class Outbox {
  private waiting: Uint8Array[] = [];
  private made = 0;
  private durable = 0;
  /** How many edits will be durable when the message under way is settled. */
  private flying: number | null = null;

  get hasUnsaved(): boolean {
    return this.made > this.durable;
  }

  /** An edit was made here. */
  put(update: Uint8Array): void {
    this.made += 1;
    this.waiting.push(update);
  }

  /** Returns what to send now, if anything waits and nothing is under way. */
  take(): Uint8Array | null {
    if (this.flying !== null || this.waiting.length === 0) return null;
    const update = Y.mergeUpdates(this.waiting);
    this.takeAll();
    return update;
  }

  /** Everything goes out with one message, unless the server turns out to know it all. */
  takeAll(isKnown = false): void {
    this.waiting = [];
    this.flying = isKnown ? null : this.made;
    if (isKnown) this.durable = this.made;
  }

  /** What was under way is durable. */
  settled(): void {
    this.durable = Math.max(this.durable, this.flying ?? 0);
    this.flying = null;
  }

  /** What was under way may be lost: the server will say what it has, and the rest goes again. */
  forget(): void {
    this.flying = null;
  }
}
