/** What is around the table of documents: filters, the bar of a selection, the path, a Space. */
import { FileText, FolderTree, X } from "lucide";
import { useEffect, useState } from "preact/hooks";
import { call } from "../../api/tools";
import { useAnswer } from "../../app/answers";
import { ask, time } from "../../app/location";
import { Button } from "../../parts/button";
import { Choice } from "../../parts/field";
import { personalName } from "../../parts/folder-name";
import { Icon } from "../../parts/icon";
import { Float } from "../../parts/menu";
import { Empty } from "../../parts/state";
import type { Deed } from "./deeds";
import { folderLink, placeLink, type Place } from "./place";
import { foldersIn, type Folder, type Places } from "./places";
import { documentsWords } from "./words";

const TYPING_MS = 200;
export const STATUSES = ["draft", "published", "template"] as const;

export function Filters(given: {
  query: string;
  canBeHere: boolean;
  isEverywhere: boolean;
  status: string;
}) {
  const words = documentsWords();
  const { query, status } = given;
  const [typed, type] = useState(query);
  useEffect(() => {
    if (typed.trim() === query) return;
    const timer = setTimeout(() => ask({ q: typed.trim() }, { replaces: true }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  useEffect(() => type((now) => (now.trim() === query ? now : query)), [query]);
  return (
    <search class="docs-filters">
      <input
        type="search"
        aria-label={words.search}
        placeholder={words.search}
        value={typed}
        onInput={(event) => type(event.currentTarget.value)}
      />
      {given.canBeHere && query && (
        <Choice
          label={words.searchWhere}
          hidesLabel
          value={given.isEverywhere ? "all" : "here"}
          of={[
            { value: "here", label: words.here },
            { value: "all", label: words.everywhere },
          ]}
          onChange={(value) => ask({ in: value === "all" ? "all" : null }, { replaces: true })}
        />
      )}
      <Choice
        label={words.status}
        hidesLabel
        value={status}
        of={[
          { value: "", label: words.anyStatus },
          ...STATUSES.map((one) => ({ value: one as string, label: words[one] })),
        ]}
        onChange={(value) => ask({ status: value }, { replaces: true })}
      />
    </search>
  );
}

export function Bulk(given: { count: number; deeds: Deed[]; clear: () => void }) {
  const words = documentsWords();
  return (
    <div class="docs-bulk" role="toolbar" aria-label={words.selection}>
      <strong role="status">{words.selected(given.count)}</strong>
      {given.deeds.map((deed) => (
        <Button
          key={deed.label}
          small
          {...(deed.icon ? { icon: deed.icon } : {})}
          {...(deed.isDangerous ? { kind: "danger" as const } : {})}
          onClick={() => deed.act?.()}
        >
          {deed.label}
          {deed.key && <kbd aria-hidden="true">{deed.key}</kbd>}
        </Button>
      ))}
      <Button kind="quiet" small icon={X} label={words.clear} onClick={given.clear} />
    </div>
  );
}

// A path shows its beginning and its end; what is between has no room.
const PATH_SHOWN = 4;

export function Trail(given: { path: Folder[]; mine: Folder | undefined; places: Places }) {
  const words = documentsWords();
  const { path, mine, places } = given;
  const here = path.at(-1);
  if (!here) return null;
  const isLong = path.length > PATH_SHOWN;
  const shown = isLong ? [path[0]!, ...path.slice(1 - PATH_SHOWN)] : path;
  const team = places.teams.find((one) => one.id === here.team);
  const inside = foldersIn(places.folders, here.id);
  return (
    <>
      <nav class="docs-trail" aria-label={words.trail}>
        {team && <span>{team.name}</span>}
        {shown.map((one, index) => (
          <>
            {index === 1 && isLong && (
              <span title={path.map((part) => part.name).join(" / ")}>…</span>
            )}
            <a
              key={one.id}
              href={folderLink(one.id)}
              title={one.name}
              aria-current={one === here ? "page" : undefined}
            >
              {one === mine ? personalName() : one.name}
            </a>
          </>
        ))}
      </nav>
      {inside.length > 0 && (
        <ul class="docs-inside" aria-label={words.inside}>
          {inside.map((one) => (
            <li key={one.id}>
              <a class="tag" href={folderLink(one.id)} title={one.name}>
                <Icon of={FolderTree} />
                <span>{one.name}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

export function SpaceAbout({ id }: { id: string }) {
  const words = documentsWords();
  const answer = useAnswer(
    () => call("page_space", { spaceId: id }),
    [id],
    () => false,
  );
  const space = answer.value;
  if (!space) return null;
  return (
    <div class="space-about">
      {space.description && <p class="space-description">{space.description}</p>}
      <p>
        {space.teamName ? words.spaceOf(space.teamName) : words.spaceMine}
        {" · "}
        {words.toSpaceNote}
      </p>
      <Float
        align="end"
        class="button small"
        title={words.membersTitle}
        face={words.members(space.total)}
      >
        {() => (
          <div class="space-members">
            <h2>{words.membersTitle}</h2>
            <ul class="readers">
              {space.members.map((one, index) => (
                <li key={index}>
                  <span>{one.name}</span>
                  <span class="quiet-text">
                    {words.roles[one.role as keyof typeof words.roles]}
                  </span>
                </li>
              ))}
            </ul>
            {space.total > space.members.length && (
              <p class="quiet-text">{words.membersMore(space.total - space.members.length)}</p>
            )}
          </div>
        )}
      </Float>
    </div>
  );
}

export function None(given: {
  place: Place;
  query: string;
  status: string;
  isEverywhere: boolean;
  canMake: boolean;
}) {
  const words = documentsWords();
  const { place, query, canMake } = given;
  if (query)
    return (
      <Empty title={words.none}>
        {!given.isEverywhere && (
          <Button onClick={() => ask({ in: "all" }, { replaces: true })}>
            {words.searchEverywhere}
          </Button>
        )}
      </Empty>
    );
  if (given.status) return <Empty title={words.noneFiltered} />;
  if (time.value !== null) return <Empty icon={FileText} title={words.emptyPast} />;
  const [title, hint] = {
    all: [words.empty, words.emptyHint],
    folder: [words.emptyFolder, canMake ? words.emptyFolderHint : words.emptyFolderView],
    shared: [words.emptyShared, words.emptySharedHint],
    space: [words.emptySpace, words.emptySpaceHint],
  }[place.kind];
  return (
    <Empty icon={FileText} title={title ?? ""}>
      <p>{hint}</p>
      {place.kind === "shared" && (
        <a class="button" href={placeLink({ kind: "all", id: null })}>
          {words.all}
        </a>
      )}
    </Empty>
  );
}
