/** The address of a comparison: the target first, then what it would take. */
import { link } from "../../app/location";

const BETWEEN = "...";

export function comparePath(target: string, source: string): string {
  return link(`/compare/${encodeURIComponent(target)}${BETWEEN}${encodeURIComponent(source)}`);
}

export function readPair(given: string): { target: string; source: string } | null {
  const [target, source, ...rest] = given.split(BETWEEN);
  return target && source && rest.length === 0 ? { target, source } : null;
}
