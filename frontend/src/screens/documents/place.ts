/** Which documents an address shows: all, those shared with the user, a folder's or a Space's. */
import { link, type Query } from "../../app/location";
import type { Params } from "../../app/routes";

export type Place =
  | { kind: "all"; id: null }
  | { kind: "shared"; id: null }
  | { kind: "folder"; id: string }
  | { kind: "space"; id: string };

const SHARED = "shared";

/** Reads the parameters of `/docs`, `/docs/shared`, `/docs/FOLDER` and `/space/ID`. */
export function placeOf({ folder, id }: Params): Place {
  if (id) return { kind: "space", id };
  if (!folder) return { kind: "all", id: null };
  return folder === SHARED ? { kind: "shared", id: null } : { kind: "folder", id: folder };
}

/** The address of a place. A folder is named by its id, so renaming it breaks no link. */
export function placeLink(place: Place, query: Query = {}): string {
  if (place.kind === "space") return link(`/space/${encodeURIComponent(place.id)}`, query);
  if (place.kind === "shared") return link(`/docs/${SHARED}`, query);
  return link(place.kind === "folder" ? `/docs/${encodeURIComponent(place.id)}` : "/docs", query);
}

export function folderLink(id: string): string {
  return placeLink({ kind: "folder", id });
}
