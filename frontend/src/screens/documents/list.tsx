/** The documents of a place, one a row: opened, selected and worked on by mouse or by keys. */
import { ArrowDown, ArrowUp, Ellipsis } from "lucide";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useKeys, type Key } from "../../app/keys";
import { address, ask, go, link } from "../../app/location";
import { Button } from "../../parts/button";
import { Icon } from "../../parts/icon";
import { Actions, Float, type Action } from "../../parts/menu";
import { Rows } from "../../parts/rows";
import type { Selection } from "../../parts/selection";
import { When } from "../../parts/time";
import { Who } from "../../parts/who";
import { partWords } from "../../parts/words";
import type { DocumentLine, Table } from "./table";
import { documentsWords } from "./words";

// Heights of rows in one line, in two, and with a snippet below; as in the styles.
const HEIGHTS = { wide: 40, narrow: 64, wideFound: 64, narrowFound: 88 };
const WIDE = 640;

export type Sort = "title" | "changed" | "created";

export interface DocumentListProps {
  table: Table;
  selection: Selection<DocumentLine>;
  /** How rows are sorted; null for what a search found, best first. */
  sort: { by: Sort; isUp: boolean } | null;
  /** Whether rows can be selected at all: not in the past, not without anything to do. */
  canSelect: boolean;
  /** What the folder of a row is called; empty where that tells nothing new. */
  folderOf: (line: DocumentLine) => string;
  actionsOf: (line: DocumentLine) => Action[];
  /** What keys do with the selection, or with the row the user is at. */
  keysFor: (lines: DocumentLine[]) => Key[];
}

export function DocumentList(given: DocumentListProps) {
  const { table, selection, sort, canSelect } = given;
  const words = documentsWords();
  const box = useRef<HTMLDivElement>(null);
  const isWide = useIsWide(box);
  const [chosen, choose] = useState(-1);
  const at = table.line(chosen);
  const move = (step: number): number => {
    const next = Math.max(0, Math.min(chosen + step, table.count - 1));
    choose(next);
    return next;
  };
  const toggle = (line: DocumentLine | undefined, index: number): void => {
    if (line && canSelect) selection.toggle(line, index);
  };
  const reach = (step: number): void => {
    if (!canSelect) return;
    if (selection.lines.length === 0) toggle(at, chosen);
    selection.extend(move(step));
  };
  const about = selection.lines.length > 0 ? selection.lines : at ? [at] : [];
  useKeys([
    { keys: "j", label: words.next, act: () => void move(1) },
    { keys: "k", label: words.previous, act: () => void move(-1) },
    { keys: "Enter", label: words.open, act: () => at && go(pathOf(at)) },
    ...(canSelect
      ? [
          { keys: "x", label: words.selectKey, act: () => toggle(at, chosen) },
          { keys: "X", label: words.extendKey, act: () => selection.extend(chosen) },
          { keys: "J", label: words.extendKey, act: () => reach(1) },
          { keys: "K", label: words.extendKey, act: () => reach(-1) },
          { keys: "Escape", label: words.clear, act: selection.clear },
        ]
      : []),
    ...given.keysFor(about),
  ]);
  const click = (event: MouseEvent, line: DocumentLine, index: number): void => {
    choose(index);
    if (event.shiftKey) selection.extend(index);
    else selection.toggle(line, index);
  };
  const row = (index: number) => {
    const line = table.line(index);
    if (!line) return <span class="doc-row waiting">{words.loadingRow}</span>;
    const isSelected = selection.has(line.id);
    const names = ["doc-row", index === chosen && "chosen", isSelected && "selected"];
    return (
      <div class={names.filter(Boolean).join(" ")}>
        {canSelect && (
          <label class="doc-select">
            <input
              type="checkbox"
              aria-label={words.select(line.title || words.untitled)}
              checked={isSelected}
              onClick={(event) => click(event, line, index)}
            />
          </label>
        )}
        <Row line={line} {...given} onOpen={() => choose(index)} />
      </div>
    );
  };
  const isFound = sort === null;
  const height = isWide
    ? isFound
      ? HEIGHTS.wideFound
      : HEIGHTS.wide
    : isFound
      ? HEIGHTS.narrowFound
      : HEIGHTS.narrow;
  return (
    <div
      ref={box}
      class={["doc-list", !isWide && "narrow", isFound && "found"].filter(Boolean).join(" ")}
      style={{ "--rows": `${table.count * height}px` }}
    >
      {table.count > 0 && <Heading {...given} isWide={isWide} />}
      <Rows
        count={table.count}
        height={height}
        label={words.list}
        class="documents"
        row={row}
        chosen={chosen}
        onReach={table.show}
      />
      {table.more && (
        <p class="doc-more">
          <Button small onClick={table.more}>
            {partWords().loadMore}
          </Button>
        </p>
      )}
    </div>
  );
}

export function pathOf(line: DocumentLine): string {
  return link(`/d/${encodeURIComponent(line.id)}`);
}

/** What the columns are, how they are sorted, and a box that selects all rows. */
function Heading(given: DocumentListProps & { isWide: boolean }) {
  const { table, selection, sort, canSelect } = given;
  const words = documentsWords();
  const isAll = selection.lines.length > 0 && selection.lines.length >= table.count;
  const all = async (): Promise<void> => {
    if (isAll) selection.clear();
    else selection.set(await table.between(0, table.count - 1));
  };
  return (
    <div class="doc-row doc-heading">
      {canSelect && (
        <label class="doc-select">
          <input
            type="checkbox"
            aria-label={words.selectAll}
            checked={isAll}
            onClick={() => void all()}
          />
        </label>
      )}
      {sort ? (
        <Sorter by="title" label={words.byTitle} sort={sort} />
      ) : (
        <span>{words.byTitle}</span>
      )}
      {given.isWide && <span class="doc-owner">{words.owner}</span>}
      {sort ? (
        <Sorter by="changed" label={words.byChanged} sort={sort} />
      ) : (
        <span>{words.byChanged}</span>
      )}
      <span class="doc-menu" />
    </div>
  );
}

function Sorter({
  by,
  label,
  sort,
}: {
  by: Sort;
  label: string;
  sort: { by: Sort; isUp: boolean };
}) {
  const words = documentsWords();
  const isBy = sort.by === by;
  // Titles begin with the first letter, times with the newest.
  const isUp = isBy ? !sort.isUp : by === "title";
  return (
    <button
      type="button"
      class="sorter"
      onClick={() => ask({ sort: isUp ? by : `-${by}` }, { replaces: true })}
    >
      {label}
      {isBy && <Icon of={sort.isUp ? ArrowUp : ArrowDown} />}
      {isBy && <span class="sr-only">{sort.isUp ? words.ascending : words.descending}</span>}
    </button>
  );
}

function Row(given: DocumentListProps & { line: DocumentLine; onOpen: () => void }) {
  const { line, actionsOf, sort } = given;
  const folder = given.folderOf(line);
  const words = documentsWords();
  const title = line.title || words.untitled;
  const of = actionsOf(line);
  return (
    <>
      <span class="doc-name">
        <a href={pathOf(line)} title={title} onClick={given.onOpen}>
          {title}
        </a>
        <Status status={line.status} />
        {folder && <span class="doc-folder">{folder}</span>}
      </span>
      <span class="doc-owner" title={line.owner}>
        {line.owner}
      </span>
      <span class="doc-changed">
        <Who {...line.who} />
        <When at={line.changed} />
      </span>
      <span class="doc-menu">
        {of.length > 0 && (
          <Float
            align="end"
            class="button quiet bare"
            label={words.actions(title)}
            face={<Icon of={Ellipsis} />}
          >
            {(close) => <Actions of={of} close={close} />}
          </Float>
        )}
      </span>
      {sort === null && <span class="doc-snippet">{line.snippet}</span>}
    </>
  );
}

function Status({ status }: { status: string }) {
  const words = documentsWords();
  if (status === "published") return <span class="tag published">{words.published}</span>;
  if (status === "template") return <span class="tag">{words.template}</span>;
  return null;
}

/** How the address sorts; the newest change first if it does not say. */
export function sortOf(): { by: Sort; isUp: boolean } {
  const given = address.value.searchParams.get("sort") ?? "-changed";
  const by = given.replace(/^-/u, "");
  if (by !== "title" && by !== "created" && by !== "changed") return { by: "changed", isUp: false };
  return { by, isUp: !given.startsWith("-") };
}

function useIsWide(box: { current: HTMLElement | null }): boolean {
  const [isWide, set] = useState(true);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = (): void => set(element.clientWidth >= WIDE);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return isWide;
}
