/** Documents by where they lie: a tree of folders and Spaces, and a table of what is in one. */
import { FolderX, FolderTree, Plus } from "lucide";
import { useEffect, useState } from "preact/hooks";
import { address, link, time } from "../../app/location";
import { may } from "../../app/me";
import type { ScreenProps } from "../../app/routes";
import { Button } from "../../parts/button";
import { personalName } from "../../parts/folder-name";
import { Head } from "../../parts/head";
import { useSelection } from "../../parts/selection";
import { Empty, Shown } from "../../parts/state";
import { Bulk, Filters, None, SpaceAbout, STATUSES, Trail } from "./around";
import { Asking, type Doing } from "./asking";
import { documentDeeds } from "./deeds";
import { DocumentList, sortOf } from "./list";
import { placeActions, PlaceMenu } from "./place-menu";
import { placeOf, type Place } from "./place";
import { pathTo, personalOf, usePlaces, type Folder, type Places } from "./places";
import { useTable, type Asked, type DocumentLine } from "./table";
import { Tree } from "./tree";
import { documentsWords } from "./words";
import "./documents.css";

const AT_ONCE = 200;
const NO_PLACES: Places = { folders: [], total: 0, teams: [], spaces: [] };

export default function DocumentsScreen({ params }: ScreenProps) {
  const words = documentsWords();
  const place = placeOf(params);
  const { searchParams } = address.value;
  const query = searchParams.get("q") ?? "";
  const isEverywhere = place.kind === "all" || searchParams.get("in") === "all";
  const status = STATUSES.find((one) => one === searchParams.get("status"));
  const known = usePlaces(place.kind === "folder" ? place.id : null);
  const places = known.value ?? NO_PLACES;
  const path = place.kind === "folder" ? pathTo(places.folders, place.id) : [];
  const folder = path.at(-1);
  const space = places.spaces.find((one) => one.id === place.id);
  const sort = sortOf();
  const asked: Asked = {
    ...(query && isEverywhere ? {} : scopeOf(place)),
    ...(status ? { status: [status] } : {}),
    ...(query ? { query } : { order: sort.by, ascending: sort.isUp }),
  };
  const table = useTable(asked);
  const selection = useSelection<DocumentLine>({
    between: table.between,
    most: AT_ONCE,
    tooMany: words.most(AT_ONCE),
  });
  const [doing, start] = useState<Doing | null>(null);
  const shown = JSON.stringify(asked);
  useEffect(selection.clear, [shown]);
  const isNow = time.value === null;
  const mine = personalOf(places.folders);
  const target = folder?.canWrite ? folder : mine;
  const canMake =
    isNow && may("edit_document") && target?.canWrite === true && placeTakes(place, folder, space);
  const problem = table.head.error;
  // Of a branch that does not exist the list itself says so.
  const isGone = problem?.status === 404 && problem.details["branch"] === undefined;
  const reload = (): void => {
    table.head.reload();
    known.reload();
  };
  const done = (): void => {
    selection.clear();
    reload();
  };
  const { deeds, keysFor } = documentDeeds({
    place,
    isNow,
    spaces: places.spaces,
    make: canMake ? () => start({ what: "make" }) : null,
    start,
    done,
    reload,
  });
  const folderOf = (line: DocumentLine): string => {
    if (place.kind === "folder" && !query) return "";
    return line.folder === mine?.id ? personalName() : (line.folderName ?? "");
  };
  const first = table.line(0);
  const canSelect = first !== undefined && deeds([first]).length > 0;
  const title = titleOf(place, folder, mine, space?.name);
  const total = table.head.value?.total;
  return (
    <div class="docs">
      <Head
        title={title}
        {...(typeof total === "number" && !query ? { note: words.count(total) } : {})}
      >
        <Button
          kind="quiet"
          class="docs-places"
          icon={FolderTree}
          onClick={() => start({ what: "tree" })}
        >
          {words.folders}
        </Button>
        <PlaceMenu
          of={placeActions({ place, folder, canChange: space?.canChange ?? false, places, start })}
        />
        {canMake && (
          <Button kind="primary" icon={Plus} onClick={() => start({ what: "make" })}>
            {words.make}
          </Button>
        )}
      </Head>
      <div class="docs-panes">
        <Tree places={places} place={place} />
        <div class="docs-list">
          {place.kind === "folder" && <Trail path={path} mine={mine} places={places} />}
          {place.kind === "space" && !isGone && <SpaceAbout id={place.id} />}
          {!isNow && <p class="quiet-text">{words.pastFolders}</p>}
          {isGone ? (
            <Empty icon={FolderX} title={words.gone}>
              <p>{words.goneHint}</p>
              <a class="button" href={link("/docs")}>
                {words.all}
              </a>
            </Empty>
          ) : (
            <>
              {selection.lines.length > 0 ? (
                <Bulk
                  count={selection.lines.length}
                  deeds={deeds(selection.lines)}
                  clear={selection.clear}
                />
              ) : (
                <Filters
                  query={query}
                  canBeHere={place.kind !== "all"}
                  isEverywhere={isEverywhere}
                  status={status ?? ""}
                />
              )}
              <Shown answer={table.head}>
                {() =>
                  table.count === 0 ? (
                    <None
                      place={place}
                      query={query}
                      status={status ?? ""}
                      isEverywhere={isEverywhere}
                      canMake={canMake}
                    />
                  ) : (
                    <DocumentList
                      key={shown}
                      table={table}
                      selection={selection}
                      sort={query ? null : sort}
                      canSelect={canSelect}
                      folderOf={folderOf}
                      actionsOf={(line) => deeds([line])}
                      keysFor={keysFor}
                    />
                  )
                }
              </Shown>
            </>
          )}
        </div>
      </div>
      {doing && (
        <Asking
          doing={doing}
          place={place}
          folder={folder}
          target={target}
          places={places}
          onClose={() => start(null)}
          onDone={done}
        />
      )}
    </div>
  );
}

function scopeOf(place: Place): Asked {
  if (place.kind === "folder") return { folderId: place.id };
  if (place.kind === "space") return { spaceId: place.id };
  return place.kind === "shared" ? { shared: true } : {};
}

/** Whether “New document” makes sense here: not where it would go somewhere else. */
function placeTakes(
  place: Place,
  folder: Folder | undefined,
  space: { canChange: boolean } | undefined,
): boolean {
  if (place.kind === "folder") return folder?.canWrite ?? false;
  return place.kind === "space" ? (space?.canChange ?? false) : place.kind === "all";
}

function titleOf(
  place: Place,
  folder: Folder | undefined,
  mine: Folder | undefined,
  space: string | undefined,
): string {
  const words = documentsWords();
  if (place.kind === "all") return words.title;
  if (place.kind === "shared") return words.shared;
  if (place.kind === "space") return space ?? words.space;
  return folder && folder === mine ? personalName() : (folder?.name ?? words.title);
}
