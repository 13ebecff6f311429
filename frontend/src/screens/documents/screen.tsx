/** Documents by where they lie: a tree of folders and Spaces, and a table of what is in one. */
import {
  Ellipsis,
  FileText,
  FolderInput,
  FolderPlus,
  FolderTree,
  Library,
  Pencil,
  Plus,
  Share2,
  Trash2,
  X,
} from "lucide";
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { call } from "../../api/tools";
import { useAnswer } from "../../app/answers";
import type { Key } from "../../app/keys";
import { address, ask, go, link, time } from "../../app/location";
import { may } from "../../app/me";
import type { ScreenProps } from "../../app/routes";
import { Button } from "../../parts/button";
import { Dialog } from "../../parts/dialog";
import { Choice } from "../../parts/field";
import { Head } from "../../parts/head";
import { Icon } from "../../parts/icon";
import { Actions, Float, type Action } from "../../parts/menu";
import { Naming } from "../../parts/naming";
import { tell, tellError } from "../../parts/notices";
import { useSelection } from "../../parts/selection";
import { Empty, Shown } from "../../parts/state";
import { partWords } from "../../parts/words";
import { Deleting, MoveFolder, NewFolder, NewSpace, ToSpace } from "./dialogs";
import { DocumentList, sortOf } from "./list";
import { Making } from "./making";
import { Moving } from "./moving";
import { folderLink, placeLink, placeOf, type Place } from "./place";
import { foldersIn, pathTo, personalOf, usePlaces, type Folder, type Places } from "./places";
import type { SharingProps } from "./sharing";
import { useTable, type Asked, type DocumentLine } from "./table";
import { Tree } from "./tree";
import { documentsWords } from "./words";
import "./documents.css";

const TYPING_MS = 200;
const AT_ONCE = 200;
const TITLE_CHARACTERS_MAX = 400;
const STATUSES = ["draft", "published", "template"] as const;
const NO_PLACES: Places = { folders: [], total: 0, teams: [], spaces: [] };

/** What is asked in a dialog. */
type Doing =
  | { what: "make" | "folder" | "space" | "renamePlace" | "moveFolder" | "deletePlace" | "tree" }
  | { what: "move" | "share" | "toSpace" | "rename"; lines: DocumentLine[] };

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
  const ownSpaces = places.spaces.filter((one) => one.canChange);
  const isGone = table.head.error?.status === 404;
  const reload = (): void => {
    table.head.reload();
    known.reload();
  };
  const done = (): void => {
    selection.clear();
    reload();
  };
  const trash = async (lines: DocumentLine[]): Promise<void> => {
    const gone = lines.filter((one) => one.canEdit);
    const documentIds = gone.map((one) => one.id);
    if (documentIds.length === 0) return;
    try {
      await call("page_trash_documents", { documentIds });
      const left = lines.length - documentIds.length;
      const action = { label: partWords().undo, act: () => void untrash(documentIds, reload) };
      const hint = [
        left > 0 && words.trashLeft(left),
        gone.some((one) => one.status === "published") && words.trashPublished,
      ];
      tell(words.trashed(documentIds.length), { action, hint: hint.filter(Boolean).join(" ") });
    } catch (error) {
      tellError(error);
    }
    done();
  };
  const takeOut = async (lines: DocumentLine[]): Promise<void> => {
    try {
      const documentIds = lines.map((one) => one.id);
      const given = { spaceId: place.id ?? "", documentIds };
      tell(words.tookOut((await call("page_remove_from_space", given)).documents));
    } catch (error) {
      tellError(error);
    }
    done();
  };
  /** What one can do with documents; each entry is left out where it would be refused. */
  const deeds = (lines: DocumentLine[]): (Action & { key?: string })[] => {
    if (!isNow || lines.length === 0) return [];
    const canEdit = lines.some((one) => one.canEdit);
    const canManage = lines.some((one) => one.canManage);
    const found: (Action & { key?: string })[] = [];
    if (lines.length === 1 && canEdit && may("page_rename"))
      found.push({
        label: words.rename,
        icon: Pencil,
        key: "r",
        act: () => start({ what: "rename", lines }),
      });
    if (canManage && may("page_move_documents"))
      found.push({
        label: words.move,
        icon: FolderInput,
        key: "m",
        act: () => start({ what: "move", lines }),
      });
    if (canManage && may("edit_document"))
      found.push({
        label: words.share,
        icon: Share2,
        key: "s",
        act: () => start({ what: "share", lines }),
      });
    if (ownSpaces.length > 0 && may("page_put_in_space"))
      found.push({
        label: words.toSpace,
        icon: Library,
        act: () => start({ what: "toSpace", lines }),
      });
    if (space?.canChange && may("page_remove_from_space"))
      found.push({ label: words.takeOut, icon: X, act: () => void takeOut(lines) });
    if (canEdit && may("page_trash_documents"))
      found.push({
        label: words.trash,
        icon: Trash2,
        key: "#",
        isDangerous: true,
        act: () => void trash(lines),
      });
    return found;
  };
  const keysFor = (lines: DocumentLine[]): Key[] => {
    const keys = deeds(lines).flatMap(({ key, label, act }) =>
      key && act ? [{ keys: key, label, act }] : [],
    );
    const toTrash = keys.find((one) => one.keys === "#");
    return [
      ...keys,
      ...(toTrash ? [{ ...toTrash, keys: "Delete" }] : []),
      ...(canMake ? [{ keys: "n", label: words.make, act: () => start({ what: "make" }) }] : []),
    ];
  };
  const folderOf = (line: DocumentLine): string => {
    if (place.kind === "folder" && !query) return "";
    return line.folder === mine?.id ? words.personal : (line.folderName ?? "");
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
            <Empty title={words.gone}>
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
  return folder && folder === mine ? words.personal : (folder?.name ?? words.title);
}

async function untrash(documentIds: string[], reload: () => void): Promise<void> {
  try {
    const { documents } = await call("page_untrash_documents", { documentIds });
    tell(documentsWords().untrashed(documents));
  } catch (error) {
    tellError(error);
  }
  reload();
}

interface PlaceActionsProps {
  place: Place;
  folder: Folder | undefined;
  canChange: boolean;
  places: Places;
  start: (doing: Doing) => void;
}

/** What one can do with the place itself. */
function placeActions({ place, folder, canChange, places, start }: PlaceActionsProps): Action[] {
  const words = documentsWords();
  if (time.value !== null || places.folders.length === 0) return [];
  const of: Action[] = [];
  const canAdd = folder?.canWrite ?? place.kind !== "folder";
  if (canAdd && may("page_add_folder"))
    of.push({ label: words.newFolder, icon: FolderPlus, act: () => start({ what: "folder" }) });
  if (may("page_add_space"))
    of.push({ label: words.newSpace, icon: Library, act: () => start({ what: "space" }) });
  if (folder?.canChange && may("page_rename_folder")) {
    of.push(
      { label: words.renameFolder, icon: Pencil, act: () => start({ what: "renamePlace" }) },
      { label: words.moveFolder, icon: FolderInput, act: () => start({ what: "moveFolder" }) },
      {
        label: words.deleteFolder,
        icon: Trash2,
        isDangerous: true,
        act: () => start({ what: "deletePlace" }),
      },
    );
  }
  if (canChange && may("page_rename_space")) {
    of.push(
      { label: words.renameSpace, icon: Pencil, act: () => start({ what: "renamePlace" }) },
      {
        label: words.deleteSpace,
        icon: Trash2,
        isDangerous: true,
        act: () => start({ what: "deletePlace" }),
      },
    );
  }
  return of;
}

function PlaceMenu({ of }: { of: Action[] }) {
  const words = documentsWords();
  if (of.length === 0) return null;
  return (
    <Float
      align="end"
      class="button bare"
      label={words.more}
      title={words.more}
      face={<Icon of={Ellipsis} />}
    >
      {(close) => <Actions of={of} close={close} />}
    </Float>
  );
}

interface AskingProps {
  doing: Doing;
  place: Place;
  folder: Folder | undefined;
  target: Folder | undefined;
  places: Places;
  onClose: () => void;
  onDone: () => void;
}

function Asking(given: AskingProps) {
  const words = documentsWords();
  const { doing, place, folder, target, places, onClose, onDone } = given;
  const asks = { onClose, onDone };
  const space = places.spaces.find((one) => one.id === place.id);
  if (doing.what === "move") return <Moving lines={doing.lines} {...asks} />;
  if (doing.what === "share") return <LateSharing lines={doing.lines} onClose={onClose} />;
  if (doing.what === "toSpace") {
    const spaces = places.spaces.filter((one) => one.canChange);
    return <ToSpace lines={doing.lines} spaces={spaces} {...asks} />;
  }
  if (doing.what === "rename") {
    const [line] = doing.lines;
    if (!line) return null;
    return (
      <Naming
        title={words.renameTitle}
        label={words.titleOf}
        button={words.rename}
        start={line.title}
        longest={TITLE_CHARACTERS_MAX}
        make={async (title) => {
          await call("page_rename", { documentId: line.id, title });
          onDone();
        }}
        onClose={onClose}
      />
    );
  }
  if (doing.what === "tree")
    return (
      <Dialog title={words.places} onClose={onClose} class="docs-tree-dialog">
        <div onClick={(event) => (event.target as Element).closest("a") && onClose()}>
          <Tree places={places} place={place} />
        </div>
      </Dialog>
    );
  if (doing.what === "make") {
    const isMine = target === personalOf(places.folders);
    const name = isMine ? words.personal : (target?.name ?? words.personal);
    const into = place.kind === "space" ? place.id : null;
    return <Making folder={target} folderName={name} space={into} onClose={onClose} />;
  }
  if (doing.what === "folder") return <NewFolder parent={folder} places={places} {...asks} />;
  if (doing.what === "space") return <NewSpace places={places} {...asks} />;
  if (doing.what === "moveFolder") return folder ? <MoveFolder folder={folder} {...asks} /> : null;
  if (doing.what === "renamePlace")
    return (
      <Naming
        title={folder ? words.renameFolder : words.renameSpace}
        label={folder ? words.folderName : words.spaceName}
        button={words.rename}
        start={folder?.name ?? space?.name ?? ""}
        make={async (name) => {
          if (folder) await call("page_rename_folder", { folderId: folder.id, name });
          else await call("page_rename_space", { spaceId: place.id ?? "", name });
          onDone();
        }}
        onClose={onClose}
      />
    );
  if (folder)
    return (
      <Deleting
        title={words.deleteFolderTitle(folder.name)}
        note={words.deleteFolderNote}
        button={words.deleteNow}
        act={async () => {
          const gone = await call("page_delete_folder", { folderId: folder.id });
          tell(words.folderDeleted(gone.name));
          go(gone.parent ? folderLink(gone.parent) : link("/docs"));
          onDone();
        }}
        onClose={onClose}
      />
    );
  return (
    <Deleting
      title={words.deleteSpaceTitle(space?.name ?? "")}
      note={words.deleteSpaceNote}
      button={words.deleteNow}
      act={async () => {
        const gone = await call("page_delete_space", { spaceId: place.id ?? "" });
        tell(words.spaceDeleted(gone.name));
        go(link("/docs"));
        onDone();
      }}
      onClose={onClose}
    />
  );
}

/** The dialog for sharing comes with the page of a document; a list loads it when it is needed. */
function LateSharing(given: SharingProps) {
  const [Sharing, setSharing] = useState<ComponentType<SharingProps> | null>(null);
  useEffect(() => void import("./sharing").then((part) => setSharing(() => part.Sharing)), []);
  return Sharing && <Sharing {...given} />;
}

function Filters(given: {
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

function Bulk(given: { count: number; deeds: (Action & { key?: string })[]; clear: () => void }) {
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

function Trail(given: { path: Folder[]; mine: Folder | undefined; places: Places }) {
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
              {one === mine ? words.personal : one.name}
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

function SpaceAbout({ id }: { id: string }) {
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

function None(given: {
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
