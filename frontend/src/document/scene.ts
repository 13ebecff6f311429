/** The page of one document: joins the room, the editor, the panel and the bar. */
import { DocumentTools, ToolError, toolsOn, whoAmI } from "../api/tools";
import type { Ending, Room } from "../live/room";
import { Session, type Rescue } from "../live/session";
import { Closed } from "../live/wire";
import { el, fill } from "../page/elements";
import { signInPath, warnBeforeLeaving } from "../page/leaving";
import { keepText, tell } from "../page/notices";
import { PresenceBar } from "../people/presence";
import { Bar } from "./bar";
import { Desktop } from "./desktop";
import { toggle } from "./toggle";

const NARROW = "(max-width: 60rem)";

export function openDocument(page: HTMLElement, id: string, branch: string | null): void {
  const scene = new Scene(page, id, branch);
  scene.start();
}

class Scene {
  private readonly tools: DocumentTools;
  private readonly session: Session;
  private readonly bar: Bar;
  private readonly text = el("main", { class: "text", aria: { label: "Document" } });
  private readonly side = el("aside", {
    class: "side",
    aria: { label: "Comments and suggestions" },
  });
  private readonly people: PresenceBar;
  private desktop: Desktop | null = null;
  private stops: (() => void)[] = [];

  constructor(
    private readonly page: HTMLElement,
    id: string,
    branch: string | null,
  ) {
    this.tools = new DocumentTools(id, toolsOn(branch));
    this.session = new Session(location.origin, id, branch);
    this.bar = new Bar(id, this.toggles());
    this.bar.showBranch(branch);
    this.people = new PresenceBar(this.bar.people, () => this.tools.collaborators());
    const work = el("div", { class: "work" }, this.text, this.side);
    fill(page, this.bar.root, work);
  }

  start(): void {
    this.session.opened.on((room) => this.enter(room));
    this.session.rescued.on((rescue) => this.rescue(rescue));
    this.session.ended.on((ending) => this.ended(ending, ending.text));
    warnBeforeLeaving(() => this.session.hasUnsaved);
    addEventListener("online", () => this.session.hurry());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.session.hurry();
    });
    this.session.start();
    void this.loadTitle();
  }

  /** Puts a new replica in the place of the last one. */
  private enter(room: Room): void {
    for (const stop of this.stops) stop();
    this.desktop?.close();
    this.desktop = new Desktop(this.text, this.side, room, this.tools);
    this.desktop.openPanel = () => this.page.classList.add("shows-review");
    const board = this.desktop.board;
    this.stops = [
      this.people.follow(room),
      room.stateChanged.on((state) => this.saved(room, state)),
      room.welcomed.on((welcome) => this.bar.showRole(welcome.role)),
      room.changed.on((what) => what.includes("title") && void this.loadTitle()),
      board.changed.on(() => this.count(board.comments, board.suggestions)),
      board.failed.on((error) => this.failed(error)),
    ];
    this.bar.showState(room.state);
    window.strata = this.desktop.handle();
  }

  private saved(room: Room, state: Room["state"]): void {
    this.bar.showState(state);
    // A handshake that is refused looks like a lost network; asking tells which it is.
    if (state === "offline" && !room.isSynced) void whoAmI().catch((error) => this.failed(error));
  }

  private count(comments: { status: string }[], suggestions: unknown[]): void {
    this.bar.showCount(
      comments.filter((one) => one.status === "active").length + suggestions.length,
    );
  }

  private async loadTitle(): Promise<void> {
    try {
      const about = await this.tools.about();
      this.bar.showTitle(about.title);
      this.bar.showRole(about.role);
    } catch (error) {
      this.failed(error);
    }
  }

  private failed(error: unknown): void {
    if (error instanceof ToolError && error.status === 401) this.ended(SIGNED_OUT, "");
    else if (!(error instanceof ToolError && error.code === "offline"))
      tell(String((error as Error).message), "error");
  }

  private rescue({ text, message, hint }: Rescue): void {
    keepText(message, hint, text);
  }

  /** The server closed the door: says so, and keeps what was not saved. */
  private ended(ending: Ending, unsaved: string): void {
    if (ending.code === Closed.signedOut && !unsaved) return location.assign(signInPath(location));
    const [message, hint] = FAREWELLS[ending.code] ?? ["The connection was closed.", ""];
    if (unsaved) return keepText(message, hint, unsaved);
    const home = el("a", { href: "/", class: "primary as-button" }, "All documents");
    fill(this.page, el("main", { class: "plain" }, el("h1", {}, message), el("p", {}, hint), home));
  }

  private toggles(): { authors: HTMLElement; review: HTMLElement } {
    const shows = (name: string) => (isOn: boolean) => void this.page.classList.toggle(name, isOn);
    const isWide = !matchMedia(NARROW).matches;
    const authors = { name: "authors", initially: true, changed: shows("shows-authors") };
    const review = { name: "review", initially: isWide, changed: shows("shows-review") };
    return {
      authors: toggle("Tint what agents wrote", "agent", authors),
      review: toggle("Comments and suggestions", "comment", review),
    };
  }
}

const SIGNED_OUT: Ending = { code: Closed.signedOut, reason: "" };
const FAREWELLS: Record<number, [string, string]> = {
  [Closed.signedOut]: [
    "You are signed out.",
    "Sign in again in another tab, then reload this page.",
  ],
  [Closed.noRights]: ["You may no longer open this document.", "Who may read it was changed."],
  [Closed.notFound]: [
    "There is no such document.",
    "It was moved or deleted, or is not shared with you.",
  ],
};
