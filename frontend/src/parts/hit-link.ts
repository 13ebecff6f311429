/** Where something that was found is, and its icon. */
import { Brain, FileText, Signpost, Zap } from "lucide";
import { link } from "../app/location";
import { factLink } from "../app/memory-address";
import type { IconNode } from "./icon";

const ICONS: Record<string, IconNode> = {
  document: FileText,
  decision: Signpost,
  event: Zap,
};

export function hitIcon(kind: string): IconNode {
  return ICONS[kind] ?? Brain;
}

/** The address of what was found. */
export function hitPath(hit: { kind: string; id: string; place?: string | null }): string {
  const parts = (path: string): string => path.split("/").map(encodeURIComponent).join("/");
  if (hit.kind === "document") return link(`/d/${encodeURIComponent(hit.id)}`);
  if (hit.kind === "decision") return link(`/decisions/${parts(hit.place ?? "")}`, { id: hit.id });
  if (hit.kind === "event") {
    const [namespace, sequence] = hit.id.split(/\/(?=[^/]*$)/u);
    return link("/events", { namespace, id: sequence });
  }
  const [namespace = "", ...key] = hit.id.split("/");
  return factLink(namespace, key.join("/"));
}
