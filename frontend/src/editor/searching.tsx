/** Finding and replacing words in the text: a panel above it, and the keys for it. */
import {
  closeSearchPanel,
  findNext,
  findPrevious,
  getSearchQuery,
  openSearchPanel,
  replaceAll,
  replaceNext,
  search,
  SearchQuery,
  searchPanelOpen,
  setSearchQuery,
} from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import {
  type Command,
  EditorView,
  keymap,
  type Panel,
  runScopeHandlers,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";
import { CaseSensitive, ChevronDown, ChevronUp, Regex, WholeWord, X } from "lucide";
import { render } from "preact";
import { Button } from "../parts/button";
import { searchWords } from "./search-words";

// Counting goes on behind the keys that change a long text.
const QUIET_MS = 200;
const COUNTED_MAX = 1000;

type Asked = Pick<SearchQuery, "search" | "replace" | "caseSensitive" | "regexp" | "wholeWord">;

interface Match {
  from: number;
  to: number;
}

class SearchPanel implements Panel {
  readonly top = true;
  readonly dom = document.createElement("div");
  private matches: Match[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly view: EditorView) {
    this.dom.className = "cm-search";
    this.dom.addEventListener("keydown", (event) => this.press(event));
    this.count();
  }

  mount(): void {
    this.dom.querySelector("input")?.select();
  }

  update(update: ViewUpdate): void {
    const asked = update.transactions.flatMap((one) => one.effects);
    if (asked.some((effect) => effect.is(setSearchQuery))) this.count();
    else if (update.docChanged) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.count(), QUIET_MS);
    } else if (update.selectionSet || update.startState.readOnly !== update.state.readOnly) {
      this.draw();
    }
  }

  destroy(): void {
    clearTimeout(this.timer);
    render(null, this.dom);
  }

  private get query(): SearchQuery {
    return getSearchQuery(this.view.state);
  }

  private count(): void {
    this.matches = [];
    if (this.query.valid) {
      const cursor = this.query.getCursor(this.view.state);
      for (let next = cursor.next(); !next.done; next = cursor.next()) {
        if (this.matches.push(next.value) > COUNTED_MAX) break;
      }
    }
    this.draw();
  }

  private ask(change: Partial<Asked>): void {
    const { search: sought, replace, caseSensitive, regexp, wholeWord } = this.query;
    const query = { search: sought, replace, caseSensitive, regexp, wholeWord, literal: true };
    const asked = new SearchQuery({ ...query, ...change });
    this.view.dispatch({ effects: setSearchQuery.of(asked) });
  }

  private press(event: KeyboardEvent): void {
    if (event.isComposing) return;
    if (runScopeHandlers(this.view, event, "search-panel")) {
      event.preventDefault();
    } else if (event.key === "Enter" && event.target instanceof HTMLInputElement) {
      event.preventDefault();
      if (event.target.name === "replace") this.replace(replaceNext);
      else (event.shiftKey ? findPrevious : findNext)(this.view);
    }
  }

  private replace(act: Command): void {
    if (!this.view.state.readOnly) act(this.view);
  }

  private draw(): void {
    render(this.contents(), this.dom);
  }

  private contents() {
    const words = searchWords();
    const { view, query } = this;
    const run = (act: Command) => () => void act(view);
    const none = this.matches.length === 0;
    return (
      <>
        <div class="search-row">
          <input
            {...{ "main-field": "true" }}
            aria-label={words.find}
            placeholder={words.find}
            value={query.search}
            aria-invalid={query.search !== "" && !query.valid}
            onInput={(event) => this.ask({ search: event.currentTarget.value })}
          />
          <Switch
            icon={CaseSensitive}
            label={words.matchCase}
            is={query.caseSensitive}
            set={(caseSensitive) => this.ask({ caseSensitive })}
          />
          <Switch
            icon={WholeWord}
            label={words.wholeWords}
            is={query.wholeWord}
            set={(wholeWord) => this.ask({ wholeWord })}
          />
          <Switch
            icon={Regex}
            label={words.pattern}
            is={query.regexp}
            set={(regexp) => this.ask({ regexp })}
          />
          <p class="search-count" role="status">
            {this.told()}
          </p>
          <Button
            kind="quiet"
            icon={ChevronUp}
            label={words.previous}
            disabled={none}
            onClick={run(findPrevious)}
          />
          <Button
            kind="quiet"
            icon={ChevronDown}
            label={words.next}
            disabled={none}
            onClick={run(findNext)}
          />
          <Button kind="quiet" icon={X} label={words.close} onClick={run(closeSearchPanel)} />
        </div>
        {!view.state.readOnly && (
          <div class="search-row">
            <input
              name="replace"
              aria-label={words.replacement}
              placeholder={words.replacement}
              value={query.replace}
              onInput={(event) => this.ask({ replace: event.currentTarget.value })}
            />
            <Button small disabled={none} onClick={() => this.replace(replaceNext)}>
              {words.replace}
            </Button>
            <Button small disabled={none} onClick={() => this.replace(replaceAll)}>
              {words.replaceAll}
            </Button>
          </div>
        )}
      </>
    );
  }

  /** How many there are, and which of them is selected. */
  private told(): string {
    const words = searchWords();
    if (this.query.search === "") return "";
    if (!this.query.valid) return words.noPattern;
    const isMore = this.matches.length > COUNTED_MAX;
    const count = isMore ? COUNTED_MAX : this.matches.length;
    if (count === 0) return words.none;
    const { from, to } = this.view.state.selection.main;
    const at = this.matches.findIndex((one) => one.from === from && one.to === to);
    return words.place(at + 1, count, isMore);
  }
}

function Switch(given: { icon: typeof X; label: string; is: boolean; set: (is: boolean) => void }) {
  return (
    <Button
      kind="quiet"
      icon={given.icon}
      label={given.label}
      pressed={given.is}
      onClick={() => given.set(!given.is)}
    />
  );
}

/** The key of the browser's own search, which would see only the part of the text in sight. */
const anywhere = ViewPlugin.define((view) => {
  const press = (event: KeyboardEvent): void => {
    const isFind = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (!isFind || event.key.toLowerCase() !== "f" || document.querySelector("dialog[open]"))
      return;
    event.preventDefault();
    openSearchPanel(view);
  };
  document.addEventListener("keydown", press);
  return { destroy: () => document.removeEventListener("keydown", press) };
});

const close: Command = (view) => searchPanelOpen(view.state) && closeSearchPanel(view);

export const searching = (): Extension => [
  EditorState.phrases.of(searchWords().spoken),
  search({ literal: true, createPanel: (view) => new SearchPanel(view) }),
  anywhere,
  keymap.of([
    { key: "F3", run: findNext, shift: findPrevious, scope: "editor search-panel" },
    { key: "Mod-g", run: findNext, shift: findPrevious, scope: "editor search-panel" },
    { key: "Escape", run: close, scope: "editor search-panel" },
  ]),
];
