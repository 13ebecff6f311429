/** What one can do with what waits, doing it, and taking it back. */
import { call } from "../../api/tools";
import { link } from "../../app/location";
import { branchName } from "../../app/switches";
import { comparePath } from "../compare/path";

export type InboxItem = Awaited<ReturnType<typeof call<"page_inbox">>>["items"][number];

/** What is done at once, with its key; a suggestion is applied over words that have changed. */
export const ACTS = { accept: "a", apply: "", reject: "r", resolve: "e" } as const;
export type Act = keyof typeof ACTS;

export function actsOf(item: InboxItem): Act[] {
  return (Object.keys(ACTS) as Act[]).filter((what) => item.can.includes(what));
}

type Decision = Awaited<ReturnType<typeof call<"page_decide_proposal">>>;

/** What decisions about proposals did, by the item: an undo takes this back. */
const decided = new Map<string, Decision>();

async function decideProposal(item: InboxItem, what: Act, edited?: string): Promise<void> {
  const done = await call("page_decide_proposal", {
    proposalId: item.proposal ?? "",
    decision: what === "reject" ? "reject" : "accept",
    force: what === "apply" || (edited !== undefined && item.state === "changed"),
    ...(edited === undefined ? {} : { words: edited }),
  });
  decided.set(item.id, done);
}

/** Does something with an item; other words than the suggested ones are those of an edit. */
export async function carryOut(item: InboxItem, what: Act, edited?: string): Promise<void> {
  if (item.proposal) {
    await decideProposal(item, what, edited);
    return;
  }
  const documentId = item.document ?? "";
  if (what === "resolve") {
    const commentId = item.commentId ?? "";
    await call("manage_comments", { action: "resolve", documentId, commentId });
    return;
  }
  const words = edited ?? (what === "apply" ? item.after : undefined);
  await call("page_decide", {
    documentId,
    suggestionId: item.suggestionId ?? "",
    decision: what === "reject" ? "reject" : "accept",
    ...(words === undefined ? {} : { words }),
  });
}

/** Takes back what was done with an item, by a new commit. */
export async function takeBack(item: InboxItem): Promise<void> {
  const commits = decided.get(item.id);
  if (commits) {
    await call("page_reopen_proposal", commits);
    decided.delete(item.id);
    return;
  }
  const documentId = item.document ?? "";
  if (item.suggestionId) {
    await call("page_reverse_decision", { documentId, suggestionId: item.suggestionId });
  } else if (item.commentId) {
    await call("manage_comments", { action: "reopen", documentId, commentId: item.commentId });
  }
}

/** Where the whole of an item is. */
export function pathOf(item: InboxItem): string {
  if (item.branch) return comparePath(branchName(), item.branch);
  if (item.task) return link(`/tasks/${encodeURIComponent(item.task)}`);
  if (item.document) {
    const card = item.suggestionId ?? item.commentId;
    return link(`/d/${encodeURIComponent(item.document)}`, { card });
  }
  return link("/decisions", { id: item.decision });
}
