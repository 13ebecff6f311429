/** One open document over time: its room, what is known of it, and who is here, as signals. */
import { signal } from "@preact/signals";
import { DocumentTools, ToolError, toolsOn, whoAmI } from "../api/tools";
import type { About, Role } from "../api/types";
import type { Ending, Room, SaveState } from "../live/room";
import { Session } from "../live/session";
import { Closed } from "../live/wire";
import { behindFrame } from "../page/frame";
import { signInPath, warnBeforeLeaving } from "../page/leaving";
import { tell, tellError } from "../parts/notices";
import { followPresence, type Person } from "../people/presence";
import { Seat } from "./seat";
import { documentWords } from "./words";

export class Sheet {
  readonly about = signal<About | null>(null);
  readonly state = signal<SaveState>("connecting");
  readonly role = signal<Role>("viewer");
  readonly people = signal<Person[]>([]);
  readonly seat = signal<Seat | null>(null);
  /** Whether the text has been there: what is loaded behind it need not wait any longer. */
  readonly isThere = signal(false);
  /** Whether the user writes suggestions, in a copy of the text. */
  readonly isSuggesting = signal(false);
  /** Why the server closed the door, once it did. */
  readonly ending = signal<number | null>(null);
  readonly tools: DocumentTools;
  private readonly session: Session;
  private stops: (() => void)[] = [];
  private forget: (() => void)[] = [];
  private isClosed = false;

  constructor(
    readonly id: string,
    branch: string | null,
  ) {
    this.tools = new DocumentTools(id, toolsOn(branch));
    this.session = new Session(location.origin, id, branch);
  }

  /** Shows the text in a place of the page. */
  start(place: HTMLElement): void {
    this.session.opened.on((room) => this.enter(place, room));
    this.session.rescued.on((rescue) => void import("./rescued").then((it) => it.handBack(rescue)));
    this.session.ended.on((ending) => this.ended(ending, ending.text));
    const hurry = (): void => {
      if (document.visibilityState === "visible") this.session.hurry();
    };
    addEventListener("online", hurry);
    document.addEventListener("visibilitychange", hurry);
    this.forget = [
      warnBeforeLeaving(() => this.session.hasUnsaved),
      () => removeEventListener("online", hurry),
      () => document.removeEventListener("visibilitychange", hurry),
    ];
    this.session.start();
    void this.learn();
  }

  /** Leaves the page at once, and the room when everything typed is saved. */
  close(): void {
    this.isClosed = true;
    this.leave();
    void this.session.closeWhenSaved().then(() => this.forget.forEach((stop) => stop()));
  }

  /** Asks what the document is called, and what the user may do with it. */
  async learn(): Promise<void> {
    try {
      const about = await this.tools.about();
      this.about.value = about;
      // The room says it earlier and again when it changes; this answer may be older than that.
      if (!this.seat.peek()?.room.isWelcome) this.role.value = about.role;
    } catch (error) {
      this.failed(error);
    }
  }

  private leave(): void {
    for (const stop of this.stops) stop();
    this.seat.peek()?.close();
    this.seat.value = null;
  }

  /** Puts a new replica in the place of the last one. */
  private enter(place: HTMLElement, room: Room): void {
    this.leave();
    const seat = new Seat(place, room, this.tools);
    this.stops = [
      followPresence(room, {
        ask: () => this.tools.collaborators(),
        show: (people) => (this.people.value = people),
      }),
      room.stateChanged.on((state) => this.saved(room, state)),
      room.welcomed.on((welcome) => (this.role.value = welcome.role)),
      room.synced.on(() => behindFrame(() => (this.isThere.value = true))),
      room.changed.on((what) => what.includes("title") && void this.learn()),
      seat.board.failed.on((error) => this.failed(error)),
    ];
    this.state.value = room.state;
    this.seat.value = seat;
  }

  private saved(room: Room, state: SaveState): void {
    this.state.value = state;
    // A handshake that is refused looks like a lost network; asking tells which it is.
    if (state === "offline" && !room.isSynced) void whoAmI().catch((error) => this.failed(error));
  }

  private failed(error: unknown): void {
    if (error instanceof ToolError && error.status === 401) this.ended(SIGNED_OUT, "");
    else if (!(error instanceof ToolError && error.code === "offline")) tellError(error);
  }

  /** The server closed the door: says so, and keeps what was not saved. */
  private ended(ending: Ending, unsaved: string): void {
    if (ending.code === Closed.signedOut && !unsaved) return location.assign(signInPath(location));
    const { message, hint } = farewell(ending.code);
    if (unsaved) tell(message, { kind: "error", hint, text: unsaved });
    else if (!this.isClosed) this.ending.value = ending.code;
  }
}

const SIGNED_OUT: Ending = { code: Closed.signedOut, reason: "" };

export function farewell(code: number): { message: string; hint: string } {
  const words = documentWords();
  if (code === Closed.signedOut) return { message: words.signedOut, hint: words.signedOutHint };
  if (code === Closed.noRights) return { message: words.noRights, hint: words.noRightsHint };
  if (code === Closed.notFound) return { message: words.missing, hint: words.missingHint };
  return { message: words.closed, hint: "" };
}
