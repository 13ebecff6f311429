/** Which screen an address shows. A screen is loaded when it is first needed. */
import type { ComponentType } from "preact";

export type Params = Record<string, string>;

export interface ScreenProps {
  params: Params;
}

export interface Screen {
  default: ComponentType<ScreenProps>;
}

export interface Route {
  /** `:name` is one part of the path, `*name` the rest of it, which may be empty. */
  pattern: string;
  load: () => Promise<Screen>;
}

export const DOCUMENT = "/d/:id";

export const ROUTES: readonly Route[] = [
  { pattern: "/", load: () => import("../screens/inbox/screen") },
  { pattern: "/find", load: () => import("../screens/find/screen") },
  { pattern: "/docs/*folder", load: () => import("../screens/documents/screen") },
  { pattern: "/space/:id", load: () => import("../screens/documents/screen") },
  { pattern: "/trash", load: () => import("../screens/trash/screen") },
  { pattern: DOCUMENT, load: () => import("../screens/document/screen") },
  { pattern: "/d/:id/history", load: () => import("../screens/history/screen") },
  { pattern: "/d/:id/links", load: () => import("../screens/links/screen") },
  { pattern: "/activity", load: () => import("../screens/activity/screen") },
  { pattern: "/branches", load: () => import("../screens/branches/screen") },
  { pattern: "/compare/*pair", load: () => import("../screens/compare/screen") },
  { pattern: "/memory/*path", load: () => import("../screens/memory/screen") },
  { pattern: "/decisions/*topic", load: () => import("../screens/decisions/screen") },
  { pattern: "/events/*type", load: () => import("../screens/events/screen") },
  { pattern: "/join", load: () => import("../screens/join/screen") },
  { pattern: "/agents", load: () => import("../screens/agents/screen") },
  { pattern: "/tasks/:id", load: () => import("../screens/task/screen") },
  { pattern: "/published", load: () => import("../screens/published/screen") },
  { pattern: "/settings/*part", load: () => import("../screens/settings/screen") },
  { pattern: "/hello", load: () => import("../screens/hello/screen") },
];

/** Screens without the frame: the user may not be signed in yet. */
export const BARE: readonly string[] = ["/hello", "/join"];

export interface Match {
  route: Route;
  params: Params;
}

/** Finds the screen of a path; null for a path that has none. */
export function match(path: string, routes: readonly Route[] = ROUTES): Match | null {
  for (const route of routes) {
    const params = fit(route.pattern, path);
    if (params) return { route, params };
  }
  return null;
}

function fit(pattern: string, path: string): Params | null {
  const wanted = parts(pattern);
  const given = parts(path);
  const params: Params = {};
  for (const [index, part] of wanted.entries()) {
    if (part.startsWith("*")) {
      params[part.slice(1)] = given.slice(index).map(decode).join("/");
      return params;
    }
    const here = given[index];
    if (here === undefined) return null;
    if (part.startsWith(":")) params[part.slice(1)] = decode(here);
    else if (part !== here) return null;
  }
  return given.length === wanted.length ? params : null;
}

function parts(path: string): string[] {
  return path.split("/").filter(Boolean);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
