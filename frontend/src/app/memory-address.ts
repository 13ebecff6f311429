/** What an address of memory means: a namespace, a folder of names, and perhaps a fact. */
import { link, type Query } from "./location";

export interface Place {
  /** Null is the one that the server takes by itself. */
  namespace: string | null;
  /** Names that begin so are listed. */
  prefix: string;
  /** The fact that is open. */
  key: string | null;
}

const ROOT = "/memory";

/** Reads an address: `/memory/NAMESPACE/a/` is a folder, `/memory/NAMESPACE/a/b` a fact. */
export function placeOf(url: URL): Place {
  const [namespace = "", ...parts] = url.pathname.slice(ROOT.length + 1).split("/");
  const rest = parts.map(decoded).join("/");
  const isFolder = rest === "" || rest.endsWith("/");
  const key = url.searchParams.get("key") ?? (isFolder ? null : rest);
  const under = url.searchParams.get("under");
  const prefix = under !== null ? under.slice(1) : isFolder && !key ? rest : folderOf(key ?? "");
  return { namespace: decoded(namespace) || null, prefix, key };
}

/** The address of a fact; `under` keeps the list beside it as it is. */
export function factLink(
  namespace: string,
  key: string,
  under?: string,
  query: Query = {},
): string {
  const kept = { ...query, under: under === undefined ? null : `/${under}` };
  const path = `${ROOT}/${encodeURIComponent(namespace)}`;
  if (!isPlain(key) || key.endsWith("/")) return link(path, { ...kept, key });
  return link(`${path}/${encoded(key)}`, kept);
}

export function folderLink(namespace: string, prefix: string, query: Query = {}): string {
  const path = `${ROOT}/${encodeURIComponent(namespace)}/`;
  if (prefix && !isPlain(prefix.slice(0, -1))) return link(path, { ...query, under: `/${prefix}` });
  return link(`${path}${encoded(prefix)}`, query);
}

/** The folders above a name, from the outermost on. */
export function foldersAbove(prefix: string): string[] {
  const names = prefix.split("/").slice(0, -1);
  return names.map((_, index) => `${names.slice(0, index + 1).join("/")}/`);
}

export function folderOf(key: string): string {
  return key.slice(0, key.lastIndexOf("/") + 1);
}

/** Whether a path can hold a name: browsers drop parts that are dots, servers take no new lines. */
function isPlain(name: string): boolean {
  if (/\p{Cc}/u.test(name)) return false;
  return name.split("/").every((part) => !["", ".", ".."].includes(part));
}

function encoded(name: string): string {
  return name.split("/").map(encodeURIComponent).join("/");
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
