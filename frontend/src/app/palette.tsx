/** Cmd-K: finds things and commands from anywhere. */
import { ArrowRight, Keyboard, Search } from "lucide";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { call } from "../api/tools";
import type { PageHit } from "../api/types";
import { Icon, type IconNode } from "../parts/icon";
import { hitIcon, hitPath } from "../parts/hit-link";
import { catalogue } from "./words";
import { frameWords } from "./frame-words";
import { keys } from "./keys";
import { go, link } from "./location";
import { may } from "./me";
import { destinations } from "./navigation";
import { isPaletteOpen } from "./palette-key";
import { match } from "./routes";

const TYPING_MS = 120;
const HITS = 8;

const paletteWords = catalogue(
  {
    label: "Find anything, or type a command",
    results: "Results",
    nothing: "Nothing here is about this.",
    nearest: (title: string) => `The nearest is “${title}”.`,
    all: (words: string) => `Show everything about “${words}”`,
    searching: "Searching…",
  },
  {
    label: "무엇이든 찾거나 명령을 입력하세요",
    results: "결과",
    nothing: "이에 관한 것이 없습니다.",
    nearest: (title) => `가장 가까운 것은 “${title}”입니다.`,
    all: (words) => `“${words}”에 관한 모든 결과 보기`,
    searching: "찾는 중…",
  },
);

interface Entry {
  id: string;
  icon: IconNode;
  title: string;
  detail?: string;
  /** Where it leads, or what it does. */
  path?: string;
  act?: () => void;
}

export function Palette() {
  const words = paletteWords();
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, type] = useState("");
  const [chosen, choose] = useState(0);
  const query = typed.trim();
  const { hits, nearest, isAsking, asked } = useHits(query);
  const entries = [...commands(typed), ...hits.map(entryOf), ...whole(query)];
  // Before the next key: it belongs into the palette.
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const close = (): void => void (isPaletteOpen.value = false);
  const open = (entry: Entry | undefined): void => {
    if (!entry) return;
    close();
    if (entry.path) go(entry.path);
    // The screen acts once the dialog is gone, as it does behind a key.
    else setTimeout(entry.act!);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && entries.length > 0) {
      event.preventDefault();
      choose((chosen + step + entries.length) % entries.length);
    } else if (event.key === "Enter") {
      event.preventDefault();
      // What was found for the words before is not what the user asks for.
      const isLate = asked !== query && chosen === 0 && commands(typed).length === 0;
      open(isLate ? whole(query)[0] : entries[chosen]);
    }
  };
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label={words.label}
      onClose={close}
      onPointerDown={(event) => event.target === dialog.current && close()}
    >
      <div class="palette-input">
        <Icon of={Search} size={20} />
        <input
          type="text"
          role="combobox"
          autofocus
          autocomplete="off"
          spellcheck={false}
          aria-label={words.label}
          aria-controls="palette-results"
          aria-expanded="true"
          aria-activedescendant={entries[chosen] ? `palette-${chosen}` : undefined}
          placeholder={words.label}
          value={typed}
          onInput={(event) => {
            type(event.currentTarget.value);
            choose(0);
          }}
          onKeyDown={press}
        />
      </div>
      <ul id="palette-results" role="listbox" aria-label={words.results}>
        {entries.map((entry, index) => (
          <li
            key={entry.id}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === chosen}
            onPointerMove={() => choose(index)}
            onClick={() => open(entry)}
          >
            <Icon of={entry.icon} />
            <span class="palette-title">{entry.title}</span>
            {entry.detail && <span class="palette-detail">{entry.detail}</span>}
          </li>
        ))}
      </ul>
      <p class="palette-note" role="status">
        {query && hits.length === 0
          ? isAsking
            ? words.searching
            : `${words.nothing}${nearest ? ` ${words.nearest(nearest)}` : ""}`
          : ""}
      </p>
    </dialog>
  );
}

interface Hits {
  hits: PageHit[];
  nearest: string;
  isAsking: boolean;
  /** The words that they were found for. */
  asked: string;
}

const NONE: Hits = { hits: [], nearest: "", isAsking: false, asked: "" };

/** Hits for what was typed, once the user pauses; answers that were overtaken are dropped. */
function useHits(query: string): Hits {
  const [state, set] = useState<Hits>(NONE);
  useEffect(() => {
    if (!query || !may("page_find")) return set({ ...NONE, asked: query });
    let isWanted = true;
    set((before) => ({ ...before, isAsking: true }));
    const timer = setTimeout(() => {
      call("page_find", { query, limit: HITS }).then(
        (found) =>
          isWanted &&
          set({
            hits: found.hits,
            nearest: found.nearest?.title ?? "",
            isAsking: false,
            asked: query,
          }),
        () => isWanted && set({ ...NONE, asked: query }),
      );
    }, TYPING_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [query]);
  return state;
}

/** The screens one can go to, and what the keys of this screen do. */
function commands(typed: string): Entry[] {
  const words = frameWords();
  const wanted = typed.trim().toLocaleLowerCase();
  const screens: Entry[] = destinations().map((one) => ({
    id: one.path,
    icon: one.icon,
    title: words[one.word],
    path: link(one.path),
  }));
  // Those of two letters lead to the screens above; the slash opens the palette.
  const here = keys.value.filter((one) => !/ |^\/$/u.test(one.keys));
  const acts = here.map((one, index) => ({
    id: `key ${index}`,
    icon: Keyboard,
    title: one.label,
    detail: one.keys,
    act: one.act,
  }));
  return [...screens, ...acts].filter((one) => one.title.toLocaleLowerCase().includes(wanted));
}

function entryOf(hit: PageHit): Entry {
  const entry = { id: `${hit.kind} ${hit.id}`, icon: hitIcon(hit.kind), title: hit.title };
  return { ...entry, path: hitPath(hit), ...(hit.place ? { detail: hit.place } : {}) };
}

function whole(query: string): Entry[] {
  if (!query || !match("/find")) return [];
  const path = link("/find", { q: query });
  return [{ id: "all", icon: ArrowRight, title: paletteWords().all(query), path }];
}
