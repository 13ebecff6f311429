/** The places that a user sees, as a tree: personal folders, folders of teams, Spaces. */
import type { PageFoldersAnswer } from "../../../../docs/reference/page";
import { call, asToolError } from "../../api/tools";
import { useAnswer, type Answer } from "../../app/answers";

export type Folder = PageFoldersAnswer["folders"][number];
export type Team = PageFoldersAnswer["teams"][number];
export type Space = PageFoldersAnswer["spaces"][number];
export type Places = PageFoldersAnswer;

const NOT_FOUND = 404;

/** Fetches the places, with what is above and in one folder; a folder that is gone is left out. */
export function usePlaces(folder: string | null): Answer<Places> {
  return useAnswer(
    () => placesAround(folder),
    [folder],
    () => false,
  );
}

async function placesAround(folderId: string | null): Promise<Places> {
  if (!folderId) return call("page_folders", {});
  try {
    return await call("page_folders", { folderId });
  } catch (error) {
    if (asToolError(error).status !== NOT_FOUND) throw error;
    return call("page_folders", {});
  }
}

/** The folders that lie in one, or, for null, at the top of what belongs to a team or the user. */
export function foldersIn(
  folders: readonly Folder[],
  parent: string | null,
  team: string | null = null,
): Folder[] {
  if (parent !== null) return folders.filter((one) => one.parent === parent);
  const known = new Set(folders.map((one) => one.id));
  return folders.filter(
    (one) => one.team === team && (one.parent === null || !known.has(one.parent)),
  );
}

/** A folder and those that it lies in, from the outermost on. */
export function pathTo(folders: readonly Folder[], id: string): Folder[] {
  const byId = new Map(folders.map((one) => [one.id, one]));
  const path: Folder[] = [];
  for (let here = byId.get(id); here && !path.includes(here); here = byId.get(here.parent ?? ""))
    path.unshift(here);
  return path;
}

/** The user's own folder, where documents go that have no other place. */
export function personalOf(folders: readonly Folder[]): Folder | undefined {
  return folders.find((one) => one.team === null && one.parent === null);
}
