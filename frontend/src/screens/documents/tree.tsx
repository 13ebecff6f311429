/** The tree of places: everything, what is shared, personal folders, teams, Spaces. */
import {
  ChevronDown,
  ChevronRight,
  Files,
  Folder as FolderIcon,
  FolderOpen,
  LayoutTemplate,
  Library,
  User,
  Users,
} from "lucide";
import { useState } from "preact/hooks";
import { personalName } from "../../parts/folder-name";
import { Icon, type IconNode } from "../../parts/icon";
import { folderLink, placeLink, type Place } from "./place";
import { foldersIn, pathTo, personalOf, type Folder, type Places } from "./places";
import { documentsWords } from "./words";

// Deeper folders are not indented any further: the tree has a narrow column.
const DEEPEST = 8;

export function Tree({ places, place }: { places: Places; place: Place }) {
  const words = documentsWords();
  const { folders, teams, spaces } = places;
  const shown = { folders, place };
  const withFolders = teams.filter((team) => foldersIn(folders, null, team.id).length > 0);
  return (
    <nav class="places" aria-label={words.places}>
      <ul>
        <li>
          <Line to={{ kind: "all", id: null }} place={place} icon={Files} name={words.all} />
        </li>
        <li>
          <Line to={{ kind: "shared", id: null }} place={place} icon={Users} name={words.shared} />
        </li>
      </ul>
      <Level {...shown} of={foldersIn(folders, null)} depth={0} />
      {withFolders.map((team) => (
        <section key={team.id} aria-label={team.name}>
          <h2 title={team.name}>{team.name}</h2>
          <Level {...shown} of={foldersIn(folders, null, team.id)} depth={0} />
        </section>
      ))}
      {spaces.length > 0 && (
        <section aria-label={words.spaces}>
          <h2>{words.spaces}</h2>
          <ul>
            {spaces.map((one) => (
              <li key={one.id}>
                <Line
                  to={{ kind: "space", id: one.id }}
                  place={place}
                  icon={Library}
                  name={one.name}
                />
              </li>
            ))}
          </ul>
        </section>
      )}
      {places.total > folders.length && (
        <p class="quiet-text">{words.moreFolders(folders.length, places.total)}</p>
      )}
    </nav>
  );
}

function Line(given: { to: Place; place: Place; icon: IconNode; name: string }) {
  const { to, place } = given;
  const isHere = to.kind === place.kind && to.id === place.id;
  return (
    <a href={placeLink(to)} title={given.name} aria-current={isHere ? "page" : undefined}>
      <Icon of={given.icon} />
      <span class="place-name">{given.name}</span>
    </a>
  );
}

interface LevelProps {
  folders: readonly Folder[];
  place: Place;
  of: readonly Folder[];
  depth: number;
}

function Level({ folders, place, of, depth }: LevelProps) {
  if (of.length === 0) return null;
  return (
    <ul class={depth > DEEPEST ? "deepest" : undefined}>
      {of.map((one) => (
        <Branch key={one.id} folders={folders} place={place} folder={one} depth={depth} />
      ))}
    </ul>
  );
}

/** A folder; one on the way to what is shown is open, and the user opens others. */
function Branch(given: {
  folders: readonly Folder[];
  place: Place;
  folder: Folder;
  depth: number;
}) {
  const { folders, place, folder, depth } = given;
  const words = documentsWords();
  const inside = foldersIn(folders, folder.id);
  const isOnWay =
    place.kind === "folder" && pathTo(folders, place.id).some((one) => one.id === folder.id);
  const [isOpened, open] = useState<boolean | null>(null);
  const isOpen = isOpened ?? isOnWay;
  const isMine = folder === personalOf(folders);
  const icon = folder.isTemplates
    ? LayoutTemplate
    : isMine
      ? User
      : isOpen
        ? FolderOpen
        : FolderIcon;
  const isHere = place.kind === "folder" && place.id === folder.id;
  const name = isMine ? personalName() : folder.name;
  return (
    <li>
      <span class="place-row">
        <a href={folderLink(folder.id)} title={name} aria-current={isHere ? "page" : undefined}>
          <Icon of={icon} />
          <span class="place-name">{name}</span>
        </a>
        {inside.length > 0 && (
          <button
            type="button"
            class="unfold"
            aria-expanded={isOpen}
            aria-label={words.unfold(name)}
            onClick={() => open(!isOpen)}
          >
            <Icon of={isOpen ? ChevronDown : ChevronRight} />
          </button>
        )}
      </span>
      {isOpen && <Level folders={folders} place={place} of={inside} depth={depth + 1} />}
    </li>
  );
}
