/** What agents remember: a tree of names, a table, and a fact with its past. */
import { Brain, Plus } from "lucide";
import { useEffect, useState } from "preact/hooks";
import type { PageMemoryAnswer } from "../../../../docs/reference/page";
import { address, ask, link, time } from "../../app/location";
import { may } from "../../app/me";
import { number } from "../../app/words";
import { Button } from "../../parts/button";
import { Head } from "../../parts/head";
import { Empty, Shown } from "../../parts/state";
import { FactPanel } from "./fact";
import { FactList } from "./list";
import { Making } from "./making";
import { folderLink, foldersAbove, placeOf, type Place } from "../../app/memory-address";
import { useTable, type Table } from "./table";
import { Tree } from "./tree";
import { memoryWords } from "./words";
import "./memory.css";

const TYPING_MS = 200;

export default function MemoryScreen() {
  const words = memoryWords();
  const place = placeOf(address.value);
  const query = address.value.searchParams.get("q") ?? "";
  const table = useTable(place.namespace, place.prefix, query);
  const [making, make] = useState<string | null>(null);
  const found = table.head.value;
  const namespace = place.namespace ?? found?.namespace ?? null;
  const canMake = time.value === null && may("strata_store") && namespace !== null;
  return (
    <div class={place.key === null ? "memory" : "memory open"}>
      <Head title={words.title} {...(found ? { note: words.facts(found.total) } : {})}>
        {canMake && (
          <Button kind="primary" icon={Plus} onClick={() => make(place.prefix)}>
            {words.make}
          </Button>
        )}
      </Head>
      <div class="memory-panes">
        {found && namespace !== null && (
          <Tree namespaces={found.namespaces} namespace={namespace} prefix={place.prefix} />
        )}
        <div class="memory-list">
          <Filter query={query} />
          {namespace !== null && (
            <Trail namespace={namespace} prefix={place.prefix} folders={found?.folders ?? []} />
          )}
          <Shown answer={table.head}>
            {(shown) => <Listing table={table} place={place} query={query} shown={shown} />}
          </Shown>
        </div>
        {place.key !== null && namespace !== null && (
          <FactPanel
            namespace={namespace}
            name={place.key}
            listPath={folderLink(namespace, place.prefix, { q: query })}
            onMake={() => make(place.key)}
            onChanged={table.head.reload}
          />
        )}
      </div>
      {making !== null && namespace !== null && (
        <Making
          namespace={namespace}
          start={making}
          onClose={() => make(null)}
          onMade={table.head.reload}
        />
      )}
    </div>
  );
}

function Filter({ query }: { query: string }) {
  const words = memoryWords();
  const [typed, type] = useState(query);
  useEffect(() => {
    if (typed.trim() === query) return;
    const timer = setTimeout(() => ask({ q: typed.trim() }, { replaces: true }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  useEffect(() => type((now) => (now.trim() === query ? now : query)), [query]);
  return (
    <search>
      <input
        type="search"
        aria-label={words.filter}
        placeholder={words.filter}
        value={typed}
        onInput={(event) => type(event.currentTarget.value)}
      />
    </search>
  );
}

interface TrailProps {
  namespace: string;
  prefix: string;
  folders: PageMemoryAnswer["folders"];
}

/** Where one is, and on a phone, which has no room for the tree, where one can go from here. */
function Trail({ namespace, prefix, folders }: TrailProps) {
  const above = foldersAbove(prefix);
  return (
    <nav class="trail" aria-label={memoryWords().namespace}>
      <a href={folderLink(namespace, "")} aria-current={prefix === "" ? "true" : undefined}>
        {namespace}
      </a>
      {above.map((one) => (
        <a
          key={one}
          href={folderLink(namespace, one)}
          aria-current={one === prefix ? "true" : undefined}
        >
          {one.split("/").at(-2)}
        </a>
      ))}
      <span class="trail-folders">
        {folders.map((one) => (
          <a key={one.prefix} class="tag" href={folderLink(namespace, one.prefix)}>
            {one.name} <span class="count">{number(one.count)}</span>
          </a>
        ))}
      </span>
    </nav>
  );
}

interface ListingProps {
  table: Table;
  place: Place;
  query: string;
  shown: PageMemoryAnswer;
}

function Listing({ table, place, query, shown }: ListingProps) {
  const words = memoryWords();
  if (shown.total > 0) {
    const list = `${shown.namespace} ${shown.prefix} ${query}`;
    return (
      <>
        {shown.isCut && <p class="quiet-text">{words.filterCut}</p>}
        <FactList key={list} table={table} place={place} query={query} total={shown.total} />
      </>
    );
  }
  if (query)
    return (
      <Empty title={words.filterNone(query)}>
        {shown.isCut && <p>{words.filterCut}</p>}
        <a class="button" href={link("/find", { q: query })}>
          {words.searchValues(query)}
        </a>
      </Empty>
    );
  if (time.value !== null) return <Empty icon={Brain} title={words.emptyPast} />;
  return (
    <Empty icon={Brain} title={words.empty}>
      <p>{words.emptyHint}</p>
    </Empty>
  );
}
