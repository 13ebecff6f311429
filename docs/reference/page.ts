// Written by `./dev python -m strata.reference`; do not edit.
// Arguments and answers of the operations that only the page calls, beside all tools.

import type { Json, Tools } from "./tools";
export type { Json };

/** List what users and agents did on the branch, run by run, newest first. */
export interface PageActivityArguments {
  /** Only what was done before this commit */
  before?: number;
  /** Only by this user: id or email */
  person?: string;
  /** Only by this agent */
  agent?: string;
  /** Only since this time */
  since?: string;
  /** Most entries */
  limit?: number;
}

export type PageActivityAnswer = { runs: ({ who: { person: string | null; agent: string | null; task: string | null }; started: string | null; ended: string | null; commits: (number)[]; items: ({ group: string; kind: string; id: string; title: string; changes: number; wordsAdded: number | null; wordsRemoved: number | null })[]; total: number; message: string | null; isTyping: boolean; isCut: boolean })[]; next: number | null };

/** Take commits back as one new commit; what others changed since stays, and is named. */
export interface PageRevertArguments {
  /** Commits to take back, as one */
  versions: (number)[];
  /** Only tell what would happen */
  preview?: boolean;
  /** Take back what can be, and leave what was changed since */
  leavesRest?: boolean;
}

export type PageRevertAnswer = { version: number | null; back: ({ group: string; title: string; action: string })[]; kept: ({ group: string; title: string; who: { person: string | null; agent: string | null; task: string | null }; changed: string | null })[]; eventsKept: number };

/** List branches with age, author, and how many commits each is ahead and behind. */
export interface PageBranchesArguments {
  /** Part of the name */
  query?: string;
  /** Those that can still be brought back */
  deleted?: boolean;
  /** Most entries */
  limit?: number;
}

export type PageBranchesAnswer = { branches: ({ name: string; isDefault: boolean; isDeleted: boolean; cameFrom: string | null; made: string; changed: string; who: { person: string | null; agent: string | null; task: string | null }; version: number; ahead: number; behind: number })[]; total: number; countedTo: number };

/** List the users of the workspace to its owner and admins; others see themselves. */
export interface PagePeopleArguments {
}

export type PagePeopleAnswer = { people: ({ id: string; name: string; email: string; isOwner: boolean; made: string })[] };

/** List the tokens that the caller may revoke, newest first. */
export interface PageTokensArguments {
}

export type PageTokensAnswer = { tokens: ({ id: string; label: string; groups: (string)[]; isReadOnly: boolean; isSuggestOnly: boolean; user: string | null; made: string; expires: string | null; lastUsed: string | null; revoked: string | null })[] };

/** Show how the store is: its file, size, durability, and what is wrong with it. */
export interface PageHealthArguments {
}

export type PageHealthAnswer = { version: string; format: number; path: string; sizeBytes: number; durability: string; isReadOnly: boolean; warning: string | null; branches: number; versions: number; commits: number };

/** Count what is on a branch, and its newest commits by day and by author. */
export interface PageStatisticsArguments {
  /** Newest commits to count */
  commits?: number;
}

export type PageStatisticsAnswer = { facts: number; events: number; documents: number; days: ({ name: string; count: number })[]; actors: ({ name: string; count: number })[]; commits: number; more: boolean };

/** Copy the store to the folder `backups` beside it, verified; for the owner alone. */
export interface PageBackupArguments {
}

export type PageBackupAnswer = { path: string; bytes: number; version: number };

/** List the topics of decisions, newest first, with what holds of each. */
export interface PageTopicsArguments {
  /** Part of the topic's name */
  query?: string;
  /** Only topics with such a decision */
  status?: "open" | "overdue" | "disputed";
  /** Go on here: `next` of the answer before */
  cursor?: string;
  /** Most entries */
  limit?: number;
}

export type PageTopicsAnswer = { topics: ({ topic: string; decisions: number; current: ({ id: string; topic: string | null; decision: string; confidence: number; outcome: string | null; isOverdue: boolean; made: string })[]; changed: string })[]; total: number; next: string | null; outcomes: { [key: string]: Json } };

/** Show decisions whole, newest first: of a topic, of the topic of one of them, or of all. */
export interface PageDecisionsArguments {
  /** Only this topic */
  topic?: string;
  /** The topic of this decision */
  id?: string;
  /** Go on here: `next` of the answer before */
  cursor?: string;
  /** Most entries */
  limit?: number;
}

export type PageDecisionsAnswer = { topic: string | null; decisions: ({ id: string; topic: string | null; decision: string; confidence: number; outcome: string | null; isOverdue: boolean; made: string; reasoning: string; outcomeReason: string | null; limitation: string | null; judged: string | null; who: { person: string | null; agent: string | null; task: string | null }; supersededBy: ({ id: string; type: string; topic: string | null; text: string })[]; supersedes: ({ id: string; type: string; topic: string | null; text: string })[]; links: ({ relationship: string; type: string; isOutgoing: boolean; isSuggestion: boolean; other: { id: string; type: string; topic: string | null; text: string } })[] })[]; next: string | null; note: { id: string; type: string; topic: string | null; text: string } | null; nearTopics: (string)[] };

/** Show decisions as a graph: the newest of all, or those of a topic and what they lead to. */
export interface PageDecisionGraphArguments {
  /** Only this topic */
  topic?: string;
  /** Most nodes */
  limit?: number;
}

export type PageDecisionGraphAnswer = { nodes: ({ id: string; topic: string | null; decision: string; confidence: number; outcome: string | null; isOverdue: boolean; made: string; type: string; isSuperseded: boolean })[]; edges: ({ source: string; target: string; type: string; relationship: string; isSuperseding: boolean })[]; more: boolean };

/** Give a document another title; its ID and its links stay. */
export interface PageRenameArguments {
  /** doc_… */
  documentId: string;
  /** New title */
  title: string;
}

export type PageRenameAnswer = { documentId: string; title: string };

/** Bring back the text of a version, as a new one. */
export interface PageRestoreArguments {
  /** doc_… */
  documentId: string;
  /** Version of the document */
  documentVersion: number;
}

export type PageRestoreAnswer = { version: number; changed: boolean };

/** Give a version of a document a name. */
export interface PageNameVersionArguments {
  /** doc_… */
  documentId: string;
  /** Version of the document */
  documentVersion: number;
  /** Its name */
  called: string;
}

export type PageNameVersionAnswer = { version: number; name: string };

/** Delete one's own comment, with the replies to it; the history keeps it. */
export interface PageDeleteCommentArguments {
  /** doc_… */
  documentId: string;
  /** cmt_… */
  commentId: string;
}

export type PageDeleteCommentAnswer = { commentId: string };

/** Show a namespace: the folders below a prefix with their counts, and the facts in order. */
export interface PageMemoryArguments {
  /** Group of names; default: current */
  namespace?: string;
  /** Names that begin so */
  prefix?: string;
  /** Only facts with this part in their name */
  query?: string;
  /** Go on here: `next` of the answer before */
  cursor?: string;
  /** Facts to skip, for a jump in a long table */
  offset?: number;
  /** Go on here: `foldersNext` of the answer before */
  foldersCursor?: string;
  /** Most entries */
  limit?: number;
}

export type PageMemoryAnswer = { namespace: string; namespaces: ({ name: string; facts: number; events: number })[]; prefix: string; folders: ({ name: string; prefix: string; count: number })[]; foldersNext: string | null; facts: ({ key: string; namespace: string; kind: string; value: string; isWhole: boolean; isJson: boolean; tags: (string)[]; version: number; changed: string; who: { person: string | null; agent: string | null; task: string | null } })[]; next: string | null; total: number };

/** Show a fact whole, with what it was before, when, and who wrote it. */
export interface PageFactArguments {
  /** Name of the fact */
  key: string;
  /** Group of names; default: current */
  namespace?: string;
  /** Most past values */
  limit?: number;
}

export type PageFactAnswer = { key: string; namespace: string; kind: string | null; value: Json; tags: (string)[]; version: number; changed: string; who: { person: string | null; agent: string | null; task: string | null }; history: ({ version: number; value: Json; isLong: boolean; isDeleted: boolean; state: string; tags: (string)[]; changed: string; who: { person: string | null; agent: string | null; task: string | null } })[]; more: boolean };

/** Erase every value that a fact ever had, on every branch, from the file itself. */
export interface PagePurgeArguments {
  /** Name of the fact */
  key: string;
  /** Group of names; default: current */
  namespace?: string;
}

export type PagePurgeAnswer = { versions: number; isComplete: boolean };

/** Show events, those recorded last first, all or of one type, from now or a time backwards. */
export interface PageEventsArguments {
  /** Group of names; default: current */
  namespace?: string;
  /** Only events of this type */
  type?: string;
  /** Only what was recorded by this time */
  until?: string;
  /** Go on here: `next` of the answer before */
  cursor?: string;
  /** Most entries */
  limit?: number;
}

export type PageEventsAnswer = { namespace: string; events: ({ sequence: number; type: string; value: string; isWhole: boolean; when: string | null; recorded: string | null; state: string; who: { person: string | null; agent: string | null; task: string | null } })[]; next: string | null };

/** Show one event whole. */
export interface PageEventArguments {
  /** Number of the event */
  sequence: number;
  /** Group of names; default: current */
  namespace?: string;
}

export type PageEventAnswer = { sequence: number; type: string; value: string; isWhole: boolean; when: string | null; recorded: string | null; state: string; who: { person: string | null; agent: string | null; task: string | null }; namespace: string; payload: Json; version: number; hash: string };

/** List the types of events with how many were recorded each day. */
export interface PageEventTypesArguments {
  /** Group of names; default: current */
  namespace?: string;
  /** How many days to count */
  days?: number;
  /** Minutes by which days begin before those of UTC */
  utcOffsetMin?: number;
}

export type PageEventTypesAnswer = { namespace: string; namespaces: ({ name: string; facts: number; events: number })[]; types: ({ type: string; count: number; changed: string; days: (number)[] })[]; total: number };

/** Make the branch `example` with facts, decisions, documents, a comment and a suggestion. */
export interface PageMakeExampleArguments {
  /** Of its texts */
  language?: "en" | "ko";
}

export type PageMakeExampleAnswer = { branch: string; exists: boolean };

/** Delete the branch of the example; another branch of that name stays. */
export interface PageRemoveExampleArguments {
}

export type PageRemoveExampleAnswer = { branch: string; exists: boolean };

/** List what was changed last: documents, facts, events and decisions. */
export interface PageRecentArguments {
  /** Most entries */
  limit?: number;
}

export type PageRecentAnswer = { items: ({ kind: string; id: string; title: string; place: string; changed: string; who: { person: string | null; agent: string | null; task: string | null } })[] };

/** Find documents, facts, decisions and events by words and meaning. */
export interface PageFindArguments {
  /** Words or a question, in any language */
  query: string;
  /** Only documents, facts, decisions, events: document, fact, … */
  kinds?: (string)[];
  /** Written by: part of a name */
  by?: string;
  /** Written since: "1 week ago", ISO 8601 */
  since?: string | number;
  /** Go on here: `next` of the answer before */
  cursor?: string;
  /** Most hits */
  limit?: number;
}

export type PageFindAnswer = { hits: ({ kind: string; id: string; title: string; place: string; snippet: string; marks: ((number)[])[]; why: "words" | "meaning"; relevance: number; changed: string; who: { person: string | null; agent: string | null; task: string | null }; caveat: string })[]; known: boolean; nearest: { kind: string; id: string; title: string; place: string; snippet: string; marks: ((number)[])[]; why: "words" | "meaning"; relevance: number; changed: string; who: { person: string | null; agent: string | null; task: string | null }; caveat: string } | null; missing: (string)[]; next: string | null };

/** Show what waits for the user: conflicts, suggestions, comments, failed tasks, decisions. */
export interface PageInboxArguments {
  /** Most items of a kind */
  limit?: number;
  /** Most things changed last */
  recent?: number;
}

export type PageInboxAnswer = { items: ({ id: string; kind: "conflict" | "suggestion" | "comment" | "task" | "decision"; title: string; document?: string; suggestionId?: string; commentId?: string; task?: string; decision?: string; section?: string; before?: string; after?: string; body?: string; meant?: string; who: { person: string | null; agent: string | null; task: string | null }; when: string; can: (string)[] })[]; counts: { [key: string]: Json }; more: boolean; recent: ({ kind: string; id: string; title: string; place: string; changed: string; who: { person: string | null; agent: string | null; task: string | null } })[] };

/** Show what a branch changed since it parted from another, and what both sides changed. */
export interface PageCompareArguments {
  /** Branch whose changes are shown */
  source: string;
  /** Branch that would take them */
  target: string;
  /** Changes to skip */
  offset?: number;
  /** Most entries */
  limit?: number;
}

export type PageCompareAnswer = { source: string; target: string; counts: { document: number; fact: number; decision: number; event: number; other: number }; changes: ({ group: string; kind: string; namespace: string; key: string; title: string; action: string; before: string | null; after: string | null; isWhole: boolean })[]; next: number | null; conflicts: ({ id: string; group: string; kind: string; namespace: string; key: string; path: string; title: string; base: string | null; ours: string | null; theirs: string | null; isJson: boolean; takesBoth: boolean })[]; passages: ({ id: string; document: string; title: string; section: string; line: number; around: string; base: string | null; ours: string; theirs: string })[]; leftOut: (string)[]; note: string };

/** Merge a branch into another; a choice for each conflict, or nothing is changed. */
export interface PageMergeArguments {
  /** Branch to merge */
  source: string;
  /** Branch that takes its changes */
  target: string;
  /** By id of a conflict: "ours", "theirs", "both" or {"value": …} */
  choices?: { [key: string]: Json };
}

export type PageMergeAnswer = { version: number | null; taken: number; decided: number; filed: number };

/** List the versions of a document with their authors, newest first. */
export interface PageVersionsArguments {
  /** doc_… */
  documentId: string;
  /** Those before this version */
  before?: number;
  /** Most entries */
  limit?: number;
}

export type PageVersionsAnswer = { versions: ({ version: number; when: string; started: string; who: ({ person: string | null; agent: string | null; task: string | null })[]; name: string | null; operation: string; bytes: number; edits: number })[]; next: string | null };

/** Read a whole document, now or in one of its versions; nothing is cut. */
export interface PageTextArguments {
  /** doc_… */
  documentId: string;
  /** As it was then; default: as it is */
  version?: number;
}

export type PageTextAnswer = { title: string; text: string };

/** Whatever the page can call, by its name. */
export interface Calls extends Tools {
  page_activity: { arguments: PageActivityArguments; answer: PageActivityAnswer };
  page_revert: { arguments: PageRevertArguments; answer: PageRevertAnswer };
  page_branches: { arguments: PageBranchesArguments; answer: PageBranchesAnswer };
  page_people: { arguments: PagePeopleArguments; answer: PagePeopleAnswer };
  page_tokens: { arguments: PageTokensArguments; answer: PageTokensAnswer };
  page_health: { arguments: PageHealthArguments; answer: PageHealthAnswer };
  page_statistics: { arguments: PageStatisticsArguments; answer: PageStatisticsAnswer };
  page_backup: { arguments: PageBackupArguments; answer: PageBackupAnswer };
  page_topics: { arguments: PageTopicsArguments; answer: PageTopicsAnswer };
  page_decisions: { arguments: PageDecisionsArguments; answer: PageDecisionsAnswer };
  page_decision_graph: { arguments: PageDecisionGraphArguments; answer: PageDecisionGraphAnswer };
  page_rename: { arguments: PageRenameArguments; answer: PageRenameAnswer };
  page_restore: { arguments: PageRestoreArguments; answer: PageRestoreAnswer };
  page_name_version: { arguments: PageNameVersionArguments; answer: PageNameVersionAnswer };
  page_delete_comment: { arguments: PageDeleteCommentArguments; answer: PageDeleteCommentAnswer };
  page_memory: { arguments: PageMemoryArguments; answer: PageMemoryAnswer };
  page_fact: { arguments: PageFactArguments; answer: PageFactAnswer };
  page_purge: { arguments: PagePurgeArguments; answer: PagePurgeAnswer };
  page_events: { arguments: PageEventsArguments; answer: PageEventsAnswer };
  page_event: { arguments: PageEventArguments; answer: PageEventAnswer };
  page_event_types: { arguments: PageEventTypesArguments; answer: PageEventTypesAnswer };
  page_make_example: { arguments: PageMakeExampleArguments; answer: PageMakeExampleAnswer };
  page_remove_example: { arguments: PageRemoveExampleArguments; answer: PageRemoveExampleAnswer };
  page_recent: { arguments: PageRecentArguments; answer: PageRecentAnswer };
  page_find: { arguments: PageFindArguments; answer: PageFindAnswer };
  page_inbox: { arguments: PageInboxArguments; answer: PageInboxAnswer };
  page_compare: { arguments: PageCompareArguments; answer: PageCompareAnswer };
  page_merge: { arguments: PageMergeArguments; answer: PageMergeAnswer };
  page_versions: { arguments: PageVersionsArguments; answer: PageVersionsAnswer };
  page_text: { arguments: PageTextArguments; answer: PageTextAnswer };
}
