/** A document's room over time: a new replica for each branch, and after each refusal. */
import { Signal } from "../page/signal";
import { liveUrl } from "./early";
import type { MakeSocket } from "./link";
import { Room, type Ending } from "./room";
import { Closed, type Refusal } from "./wire";

/** What a refusal leaves behind: the text as it was here, for the user who wrote it. */
export interface Rescue {
  text: string;
  /** What the server said about it; where it only closed the room, by which code. */
  told?: Refusal;
  code?: number;
}

/** Endings after which the same edits would be refused for ever. */
const REFUSALS: readonly number[] = [Closed.foreignClient, Closed.tooLarge];

export class Session {
  readonly opened = new Signal<Room>();
  readonly rescued = new Signal<Rescue>();
  readonly ended = new Signal<Ending & { text: string }>();
  room: Room;
  private isEnded = false;

  constructor(
    private readonly origin: string,
    private readonly document: string,
    private readonly branch: string | null,
    private readonly makeSocket?: MakeSocket,
  ) {
    this.room = this.makeRoom();
  }

  start(): void {
    this.opened.emit(this.room);
    this.room.open();
  }

  hurry(): void {
    if (!this.isEnded) this.room.hurry();
  }

  /** Leaves the room when everything typed is saved, however long that takes. */
  closeWhenSaved(): Promise<void> {
    const { room } = this;
    return new Promise((resolve) => {
      const leave = (): void => {
        stop();
        this.isEnded = true;
        room.close();
        resolve();
      };
      const stop = room.stateChanged.on(() => !room.hasUnsaved && leave());
      if (this.isEnded || !room.hasUnsaved) leave();
    });
  }

  get hasUnsaved(): boolean {
    return this.room.hasUnsaved;
  }

  private makeRoom(): Room {
    const room = new Room(liveUrl(this.origin, this.document, this.branch), this.makeSocket);
    room.refused.on((refusal) => this.refused(room, refusal));
    room.ended.on((ending) => this.roomEnded(room, ending));
    return room;
  }

  private roomEnded(room: Room, ending: Ending): void {
    if (REFUSALS.includes(ending.code)) return this.rescue(room, { code: ending.code });
    this.isEnded = true;
    this.ended.emit({ ...ending, text: room.hasUnsaved ? room.text.toString() : "" });
  }

  private refused(room: Room, told: Refusal): void {
    this.rescue(room, { told });
  }

  private rescue(room: Room, why: Omit<Rescue, "text">): void {
    if (room !== this.room) return;
    const text = room.text.toString();
    this.room = this.makeRoom();
    room.close();
    this.start();
    this.rescued.emit({ text, ...why });
  }
}
