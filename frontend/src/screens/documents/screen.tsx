/** All documents that the user may read: the newest change first, or those that fit some words. */
import { FileText, Plus } from "lucide";
import { useEffect, useState } from "preact/hooks";
import { call } from "../../api/tools";
import type { FoundDocument } from "../../api/types";
import { useAnswer } from "../../app/answers";
import { address, ask, go, link, time } from "../../app/location";
import { Button } from "../../parts/button";
import { Head } from "../../parts/head";
import { Icon } from "../../parts/icon";
import { Naming } from "../../parts/naming";
import { tellError } from "../../parts/notices";
import { Empty, Shown } from "../../parts/state";
import { When } from "../../parts/time";
import { partWords } from "../../parts/words";
import { documentsWords } from "./words";

const TYPING_MS = 200;
const PAGE = 50;

export default function DocumentsScreen() {
  const words = documentsWords();
  const [isNaming, setNaming] = useState(false);
  const query = address.value.searchParams.get("q") ?? "";
  const [typed, type] = useState(query);
  useEffect(() => {
    const timer = setTimeout(() => ask({ q: typed.trim() }, { replaces: true }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <div class="screen">
      <Head title={words.title}>
        {time.value === null && (
          <Button kind="primary" icon={Plus} onClick={() => setNaming(true)}>
            {words.make}
          </Button>
        )}
      </Head>
      <input
        type="search"
        aria-label={words.search}
        placeholder={words.search}
        value={typed}
        onInput={(event) => type(event.currentTarget.value)}
      />
      <Listing key={query} query={query} />
      {isNaming && (
        <Naming
          title={words.make}
          label={words.titleOf}
          button={words.create}
          make={create}
          onClose={() => setNaming(false)}
        />
      )}
    </div>
  );
}

function find(query: string, nextToken?: string) {
  const intent = query ? ("search" as const) : ("recent" as const);
  const more = nextToken ? { nextToken } : {};
  return call("find", { intent, query, scope: { type: "all" }, limit: PAGE, ...more });
}

function Listing({ query }: { query: string }) {
  const words = documentsWords();
  const [more, setMore] = useState<{ items: FoundDocument[]; nextToken?: string } | null>(null);
  const answer = useAnswer(
    () => find(query),
    [query],
    (change) => change.kinds.includes("document"),
  );
  useEffect(() => setMore(null), [answer.value]);
  const fetchMore = async (token: string): Promise<void> => {
    try {
      const found = await find(query, token);
      const items = [...(more?.items ?? []), ...(found.items as FoundDocument[])];
      setMore({ items, ...(found.nextToken ? { nextToken: found.nextToken } : {}) });
    } catch (error) {
      tellError(error);
    }
  };
  return (
    <Shown answer={answer}>
      {(found) => {
        const items = [...(found.items as FoundDocument[]), ...(more?.items ?? [])];
        const token = more ? more.nextToken : found.nextToken;
        if (items.length === 0) return <None query={query} />;
        return (
          <>
            <ul class="card-list documents" aria-label={words.list}>
              {items.map((one) => (
                <li key={one.id}>
                  <DocumentRow found={one} />
                </li>
              ))}
            </ul>
            {token && <Button onClick={() => void fetchMore(token)}>{partWords().loadMore}</Button>}
          </>
        );
      }}
    </Shown>
  );
}

function None({ query }: { query: string }) {
  const words = documentsWords();
  if (query) return <Empty title={words.none} />;
  return (
    <Empty icon={FileText} title={words.empty}>
      <p>{words.emptyHint}</p>
    </Empty>
  );
}

function DocumentRow({ found }: { found: FoundDocument }) {
  const about = [found.folderName, found.ownerName, found.status === "draft" ? "" : found.status];
  return (
    <a class="hit" href={link(`/d/${encodeURIComponent(found.id)}`)}>
      <span class="hit-head">
        <Icon of={FileText} />
        <strong>{found.title || documentsWords().untitled}</strong>
        {found.updated && <When at={found.updated} />}
      </span>
      {found.snippet && <span class="hit-snippet">{found.snippet}</span>}
      <span class="hit-detail">{about.filter(Boolean).join(" · ")}</span>
    </a>
  );
}

async function create(title: string): Promise<void> {
  const content = `# ${title}\n\n`;
  const made = await call("edit_document", { action: "create", title, content });
  go(link(`/d/${encodeURIComponent(String(made.documentId))}`));
}
