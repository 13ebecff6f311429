/** The list of documents: the newest, or those that fit some words; and a new one. */
import { createDocument, findDocuments, toolsOn, ToolError, whoAmI } from "../api/tools";
import type { FoundDocument } from "../api/types";
import { documentPath } from "../page/address";
import { button, el, fill, icon } from "../page/elements";
import { signInPath } from "../page/leaving";
import { tell } from "../page/notices";
import { ago } from "../page/times";
import { askTitle } from "./naming";

const TYPING_MS = 200;
const call = toolsOn(null);

export function openList(page: HTMLElement): void {
  const results = el("ul", { class: "documents", aria: { label: "Documents" } });
  const more = el("div", { class: "more" });
  const listing = new Listing(results, more);
  const query = el("input", { type: "search", placeholder: "Search documents", id: "query" });
  query.setAttribute("aria-label", "Search documents");
  query.addEventListener("input", () => listing.askSoon(query.value.trim()));
  const make = button("New document", () => askTitle(create), { class: "primary" });
  make.prepend(icon("plus"));
  const tools = el(
    "div",
    { class: "list-tools" },
    el("div", { class: "field" }, icon("search"), query),
    make,
  );
  const main = el("main", { class: "list" }, el("h1", {}, "Documents"), tools, results, more);
  fill(page, masthead(), main);
  listing.ask("");
}

class Listing {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private turn = 0;

  constructor(
    private readonly results: HTMLElement,
    private readonly more: HTMLElement,
  ) {}

  /** Asks when the user has stopped typing. */
  askSoon(query: string): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(query), TYPING_MS);
  }

  ask(query: string): void {
    fill(this.more);
    void this.show(query);
  }

  private async show(query: string, token?: string): Promise<void> {
    const turn = ++this.turn;
    try {
      const found = await findDocuments(call, query, token);
      // An answer that was overtaken by the next question does not matter any more.
      if (turn !== this.turn) return;
      const rows = found.items.map(row);
      if (token) this.results.append(...rows);
      else fill(this.results, ...(rows.length ? rows : [nothing(query)]));
      const next = found.nextToken;
      fill(this.more, next && button("Show more", () => void this.show(query, next)));
    } catch (error) {
      failed(error);
    }
  }
}

function masthead(): HTMLElement {
  const who = el("span", { class: "who" });
  void whoAmI().then((me) => (who.textContent = me.person.name), failed);
  const leave = el("button", { type: "submit", class: "quiet" }, "Sign out");
  const form = el("form", { class: "sign-out" }, leave);
  form.method = "post";
  form.action = "/sign-out";
  return el(
    "header",
    { class: "masthead" },
    el("a", { class: "wordmark", href: "/" }, "Strata"),
    who,
    form,
  );
}

function row(found: FoundDocument): HTMLElement {
  const about = [found.folderName, found.ownerName, found.status === "draft" ? "" : found.status];
  const when = found.updated ? el("time", { dateTime: found.updated }, ago(found.updated)) : null;
  const detail = el("p", { class: "detail" }, about.filter(Boolean).join(" · "));
  const snippet = found.snippet ? el("p", { class: "snippet" }, found.snippet) : null;
  const title = el("h2", {}, found.title || "Untitled");
  return el(
    "li",
    {},
    el(
      "a",
      { href: documentPath(found.id) },
      el("div", { class: "row" }, title, when),
      snippet,
      detail,
    ),
  );
}

function nothing(query: string): HTMLElement {
  const words = query ? "No document fits these words." : "No documents yet. Make the first one.";
  return el("li", { class: "empty" }, words);
}

async function create(title: string): Promise<void> {
  try {
    location.assign(documentPath(await createDocument(call, title)));
  } catch (error) {
    failed(error);
  }
}

function failed(error: unknown): void {
  if (error instanceof ToolError && error.status === 401) location.assign(signInPath(location));
  else tell(error instanceof Error ? error.message : String(error), "error");
}
