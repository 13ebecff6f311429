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
  /** Only what an agent did in this task */
  task?: string;
  /** Only since this time */
  since?: string;
  /** Most entries */
  limit?: number;
}

export type PageActivityAnswer = { runs: ({ who: { person: string | null; agent: string | null; task: string | null; label: string | null }; started: string | null; ended: string | null; commits: (number)[]; items: ({ group: string; kind: string; id: string; place: string; title: string; changes: number; wordsAdded: number | null; wordsRemoved: number | null })[]; total: number; message: string | null; isTyping: boolean; isCut: boolean })[]; next: number | null };

/** Take commits back as one new commit; what others changed since stays, and is named. */
export interface PageRevertArguments {
  /** Commits to take back, as one */
  versions: (number)[];
  /** Only tell what would happen */
  preview?: boolean;
  /** Take back what can be, and leave what was changed since */
  leavesRest?: boolean;
}

export type PageRevertAnswer = { version: number | null; back: ({ group: string; title: string; action: string })[]; kept: ({ group: string; title: string; who: { person: string | null; agent: string | null; task: string | null; label: string | null }; changed: string | null })[]; eventsKept: number };

/** List the agents that the user can run, and when each last ran for them. */
export interface PageAgentsArguments {
}

export type PageAgentsAnswer = { agents: ({ id: string; name: string; description: string; whose: "strata" | "own" | "shared"; mayEdit: boolean; isShared: boolean; instructions: string; model: string | null; endpoint: string | null; kind: "openai" | "anthropic"; keyVariable: string | null; groups: (string)[]; allow: (string)[]; mayMix: boolean; timeoutS: number; last: { id: string; agentId: string; agentName: string; status: "pending" | "running" | "completed" | "failed" | "cancelled" | "timedOut"; isStopping: boolean; branch: string; document: string | null; title: string | null; instruction: string; summary: string; toolCalls: number; created: string; started: string | null; ended: string | null } | null })[]; worksHere: boolean; mayChooseEndpoint: boolean; mayShare: boolean };

/** List the user's tasks, newest first. */
export interface PageTasksArguments {
  /** Only of this status */
  status?: "pending" | "running" | "completed" | "failed" | "cancelled" | "timedOut";
  /** Only of this agent */
  agentId?: string;
  /** Only tasks before this one */
  before?: string;
  /** Most entries */
  limit?: number;
}

export type PageTasksAnswer = { tasks: ({ id: string; agentId: string; agentName: string; status: "pending" | "running" | "completed" | "failed" | "cancelled" | "timedOut"; isStopping: boolean; branch: string; document: string | null; title: string | null; instruction: string; summary: string; toolCalls: number; created: string; started: string | null; ended: string | null })[]; next: string | null };

/** Show one of the user's tasks: how far it is, its steps, its output or its error. */
export interface PageTaskArguments {
  /** task_… */
  taskId: string;
}

export type PageTaskAnswer = { task: { id: string; agentId: string; agentName: string; status: "pending" | "running" | "completed" | "failed" | "cancelled" | "timedOut"; isStopping: boolean; branch: string; document: string | null; title: string | null; instruction: string; summary: string; toolCalls: number; created: string; started: string | null; ended: string | null }; instruction: string; output: string | null; error: string | null; attempts: number; attemptsMax: number; deadline: string; leasedUntil: string | null; now: string; steps: ({ number: number; when: string; tool: string | null; arguments: string; answer: string; isError: boolean; tookMs: number })[]; stepsMax: number; canRepeat: boolean };

/** Cancel one of the user's tasks; what it has done by then stays. */
export interface PageCancelTaskArguments {
  /** task_… */
  taskId: string;
}

export type PageCancelTaskAnswer = { id: string; agentId: string; agentName: string; status: "pending" | "running" | "completed" | "failed" | "cancelled" | "timedOut"; isStopping: boolean; branch: string; document: string | null; title: string | null; instruction: string; summary: string; toolCalls: number; created: string; started: string | null; ended: string | null };

/** Ask for the same as one of the user's tasks again, on its branch; as a new task. */
export interface PageRepeatTaskArguments {
  /** task_… */
  taskId: string;
}

export type PageRepeatTaskAnswer = { id: string; agentId: string; agentName: string; status: "pending" | "running" | "completed" | "failed" | "cancelled" | "timedOut"; isStopping: boolean; branch: string; document: string | null; title: string | null; instruction: string; summary: string; toolCalls: number; created: string; started: string | null; ended: string | null };

/** Define an agent that thinks with a model, or change one's own. */
export interface PageDefineAgentArguments {
  /** A new name, or that of one's own agent to change */
  agentName: string;
  /** What it is for */
  instructions: string;
  /** A line about it, for lists */
  description?: string;
  /** Where its model answers; else that of the settings */
  endpoint?: string;
  /** Which model to ask there */
  model?: string;
  /** How the endpoint is spoken to */
  kind?: "openai" | "anthropic";
  /** The variable of the server that holds the key */
  keyVariable?: string;
  /** Let its edits count at once */
  mayEdit?: boolean;
  /** Seconds that a task may take */
  timeoutS?: number;
  /** Let every user run it; only the owner may */
  isShared?: boolean;
  /** Refuse a name that one's own agent has */
  isNew?: boolean;
}

export type PageDefineAgentAnswer = { id: string; name: string; description: string; whose: "strata" | "own" | "shared"; mayEdit: boolean; isShared: boolean; instructions: string; model: string | null; endpoint: string | null; kind: "openai" | "anthropic"; keyVariable: string | null; groups: (string)[]; allow: (string)[]; mayMix: boolean; timeoutS: number; last: { id: string; agentId: string; agentName: string; status: "pending" | "running" | "completed" | "failed" | "cancelled" | "timedOut"; isStopping: boolean; branch: string; document: string | null; title: string | null; instruction: string; summary: string; toolCalls: number; created: string; started: string | null; ended: string | null } | null };

/** Delete an agent of one's own; what it wrote stays. */
export interface PageRemoveAgentArguments {
  /** agent_… */
  agentId: string;
}

export type PageRemoveAgentAnswer = { id: string; name: string };

/** List changes of users, teams, tokens, folders and shares; for the owner and admins. */
export interface PageAuditArguments {
  /** Only entries before this number */
  before?: number;
  /** Only what this user did: id or email */
  personId?: string;
  /** Only this action, or its first part, such as token */
  action?: string;
  /** Only from this time on */
  since?: string;
  /** Only before this time */
  until?: string;
  /** Most entries */
  limit?: number;
}

export type PageAuditAnswer = { entries: ({ number: number; time: string; who: string; action: string; subject: string; subjectName: string | null; details: { [key: string]: Json } })[]; next: number | null };

/** List branches with age, author, and how many commits each is ahead and behind. */
export interface PageBranchesArguments {
  /** Part of the name */
  query?: string;
  /** Those that can still be brought back */
  deleted?: boolean;
  /** Most entries */
  limit?: number;
}

export type PageBranchesAnswer = { branches: ({ name: string; isDefault: boolean; isDeleted: boolean; cameFrom: string | null; made: string; changed: string; who: { person: string | null; agent: string | null; task: string | null; label: string | null }; version: number; ahead: number; behind: number })[]; total: number; countedTo: number };

/** Show how the store is: its file, size, durability, and what is wrong with it. */
export interface PageHealthArguments {
}

export type PageHealthAnswer = { version: string; format: number; path: string; sizeBytes: number; durability: string; isReadOnly: boolean; warning: string | null; branches: number; versions: number; commits: number; uptimeS: number; verification: { started: string; ended: string | null; step: string; done: number; total: number; result: Json; error: string | null } | null };

/** Check every byte of the store in the background; for the owner alone. */
export interface PageVerifyArguments {
}

export type PageVerifyAnswer = { version: string; format: number; path: string; sizeBytes: number; durability: string; isReadOnly: boolean; warning: string | null; branches: number; versions: number; commits: number; uptimeS: number; verification: { started: string; ended: string | null; step: string; done: number; total: number; result: Json; error: string | null } | null };

/** List the backups in the folder `backups` beside the store; for the owner alone. */
export interface PageBackupsArguments {
}

export type PageBackupsAnswer = { folder: string; store: string; backups: ({ name: string; path: string; bytes: number; made: string })[]; more: number; making: { started: string; ended: string | null; step: string; done: number; total: number; result: Json; error: string | null } | null; retention: ({ space: string; kind: string; maxAgeS: number | null; maxVersions: number | null })[] };

/** Copy the store to the folder `backups` beside it, verified; for the owner alone. */
export interface PageBackupArguments {
}

export type PageBackupAnswer = { folder: string; store: string; backups: ({ name: string; path: string; bytes: number; made: string })[]; more: number; making: { started: string; ended: string | null; step: string; done: number; total: number; result: Json; error: string | null } | null; retention: ({ space: string; kind: string; maxAgeS: number | null; maxVersions: number | null })[] };

/** List the clients that can be set up, each with the text to copy. */
export interface PageClientsArguments {
}

export type PageClientsAnswer = { clients: ({ name: string; title: string; file: string; remote: string; command: string | null; local: string | null; localCommand: string | null })[] };

/** Accept or reject a suggestion. */
export interface PageDecideArguments {
  /** doc_… */
  documentId: string;
  /** Id of the suggestion */
  suggestionId: string;
  /** What becomes of it */
  decision: "accept" | "reject";
  /** Accept: write these over what is there now */
  words?: string;
}

export type PageDecideAnswer = { status: string; version: number };

/** Take back what was decided about a suggestion, and the edit with it, by a new commit. */
export interface PageReverseDecisionArguments {
  /** doc_… */
  documentId: string;
  /** Id of the suggestion */
  suggestionId: string;
}

export type PageReverseDecisionAnswer = { version: number | null };

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

export type PageTopicsAnswer = { topics: ({ topic: string; decisions: number; isMore: boolean; current: ({ id: string; topic: string | null; decision: string; confidence: number; outcome: string | null; isOverdue: boolean; made: string })[]; changed: string })[]; next: string | null };

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

export type PageDecisionsAnswer = { topic: string | null; decisions: ({ id: string; topic: string | null; decision: string; confidence: number; outcome: string | null; isOverdue: boolean; made: string; reasoning: string; outcomeReason: string | null; limitation: string | null; judged: string | null; who: { person: string | null; agent: string | null; task: string | null; label: string | null }; supersededBy: ({ id: string; type: string; topic: string | null; text: string })[]; supersedes: ({ id: string; type: string; topic: string | null; text: string })[]; links: ({ relationship: string; type: string; isOutgoing: boolean; isSuggestion: boolean; other: { id: string; type: string; topic: string | null; text: string } })[] })[]; next: string | null; note: { id: string; type: string; topic: string | null; text: string } | null; nearTopics: (string)[] };

/** Show decisions as a graph: the newest of all, or those of a topic and what they lead to. */
export interface PageDecisionGraphArguments {
  /** Only this topic */
  topic?: string;
  /** Most nodes */
  limit?: number;
}

export type PageDecisionGraphAnswer = { nodes: ({ id: string; topic: string | null; decision: string; confidence: number; outcome: string | null; isOverdue: boolean; made: string; type: string; isSuperseded: boolean })[]; edges: ({ source: string; target: string; type: string; relationship: string; isSuperseding: boolean })[]; more: boolean };

/** Read the title of a document and the user's role, without reading its text. */
export interface PageAboutArguments {
  /** doc_… */
  documentId: string;
}

export type PageAboutAnswer = { documentId: string; title: string; role: string };

/** Read who wrote a character of a document, when, and in which task. */
export interface PageOriginArguments {
  /** doc_… */
  documentId: string;
  /** ID of the Yjs replica that wrote the character */
  client: number;
  /** Place of the character in what that replica wrote */
  clock: number;
}

export type PageOriginAnswer = { when: string; who: { person: string | null; agent: string | null; task: string | null; label: string | null } };

/** List the comments and suggestions on a document, all of them in one answer. */
export interface PageReviewArguments {
  /** doc_… */
  documentId: string;
}

export type PageReviewAnswer = { comments: ({ commentId: string; body: string; author: string; authorId: string; via?: string | null; created: string; edited?: string; deleted?: boolean; status: string; quotedText?: string; currentText?: string; changed?: boolean; orphaned?: boolean; headingPath?: (string)[]; line?: number; start?: number; end?: number; resolvedBy?: string; resolvedAt?: string; replies?: (Json)[] })[]; suggestions: ({ suggestionId: string; originalText: string; replacementText: string; shortened?: boolean; author: string; authorId: string; via?: string | null; created: string; status: string; reason: string; severity: string; confidence?: number; rationale?: string; branch?: string; baseVersion?: number; applies: boolean; state: string; currentText?: string; headingPath?: (string)[]; line?: number; start?: number; end?: number; overlaps?: (string)[] })[] };

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

export type PageMemoryAnswer = { namespace: string; namespaces: ({ name: string; facts: number; events: number })[]; prefix: string; folders: ({ name: string; prefix: string; count: number })[]; foldersNext: string | null; facts: ({ key: string; namespace: string; kind: string; value: string; isWhole: boolean; isJson: boolean; tags: (string)[]; version: number; changed: string; who: { person: string | null; agent: string | null; task: string | null; label: string | null } })[]; next: string | null; total: number; isCut: boolean };

/** Show a fact whole, with what it was before, when, and who wrote it. */
export interface PageFactArguments {
  /** Name of the fact */
  key: string;
  /** Group of names; default: current */
  namespace?: string;
  /** Most past values */
  limit?: number;
}

export type PageFactAnswer = { key: string; namespace: string; kind: string | null; value: Json; tags: (string)[]; version: number; changed: string; who: { person: string | null; agent: string | null; task: string | null; label: string | null }; history: ({ version: number; value: Json; isLong: boolean; isDeleted: boolean; state: string; tags: (string)[]; changed: string; who: { person: string | null; agent: string | null; task: string | null; label: string | null } })[]; more: boolean };

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

export type PageEventsAnswer = { namespace: string; events: ({ sequence: number; type: string; value: string; isWhole: boolean; when: string | null; recorded: string | null; state: string; who: { person: string | null; agent: string | null; task: string | null; label: string | null } })[]; next: string | null };

/** Show one event whole. */
export interface PageEventArguments {
  /** Number of the event */
  sequence: number;
  /** Group of names; default: current */
  namespace?: string;
}

export type PageEventAnswer = { sequence: number; type: string; value: string; isWhole: boolean; when: string | null; recorded: string | null; state: string; who: { person: string | null; agent: string | null; task: string | null; label: string | null }; namespace: string; payload: Json; version: number; hash: string };

/** List the types of events with how many were recorded each day. */
export interface PageEventTypesArguments {
  /** Group of names; default: current */
  namespace?: string;
  /** How many days to count */
  days?: number;
  /** Minutes by which days begin before those of UTC */
  utcOffsetMin?: number;
}

export type PageEventTypesAnswer = { namespace: string; namespaces: ({ name: string; facts: number; events: number })[]; types: ({ type: string; count: number; isMore: boolean; changed: string; days: (number)[] })[]; total: number };

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

/** List the files that are kept with a document beside its images. */
export interface PageFilesArguments {
  /** doc_… */
  documentId: string;
}

export type PageFilesAnswer = { files: ({ id: string; name: string; mediaType: string; bytes: number; path: string })[] };

/** Take a file from a document; the past keeps it. */
export interface PageDetachFileArguments {
  /** doc_… */
  documentId: string;
  /** Its ID */
  fileId: string;
}

export type PageDetachFileAnswer = { fileId: string };

/** List what was changed last: documents, facts, events and decisions. */
export interface PageRecentArguments {
  /** Most entries */
  limit?: number;
}

export type PageRecentAnswer = { items: ({ kind: string; id: string; title: string; place: string; changed: string; who: { person: string | null; agent: string | null; task: string | null; label: string | null } })[] };

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

export type PageFindAnswer = { hits: ({ kind: string; id: string; title: string; place: string; snippet: string; marks: ((number)[])[]; why: "words" | "meaning"; relevance: number; changed: string; who: { person: string | null; agent: string | null; task: string | null; label: string | null }; caveat: string })[]; known: boolean; nearest: { kind: string; id: string; title: string; place: string; snippet: string; marks: ((number)[])[]; why: "words" | "meaning"; relevance: number; changed: string; who: { person: string | null; agent: string | null; task: string | null; label: string | null }; caveat: string } | null; missing: (string)[]; next: string | null };

/** List the folders, teams and Spaces that the user sees, personal folders first. */
export interface PageFoldersArguments {
  /** Always with what is above and in this folder */
  folderId?: string;
  /** Only folders with these words in their name */
  query?: string;
  /** Most entries */
  limit?: number;
}

export type PageFoldersAnswer = { folders: ({ id: string; name: string; parent: string | null; team: string | null; isTemplates: boolean; canWrite: boolean; canChange: boolean })[]; total: number; teams: ({ id: string; name: string; parent: string | null; canWrite: boolean })[]; spaces: ({ id: string; name: string; description: string; team: string | null; canChange: boolean })[] };

/** Show the documents of a folder or a Space, those shared with the user, or all. */
export interface PageDocumentsArguments {
  /** folder_… */
  folderId?: string;
  /** space_… */
  spaceId?: string;
  /** Only what reaches the user by a share alone */
  shared?: boolean;
  /** Only documents of these kinds */
  status?: ("draft" | "published" | "template")[];
  /** Search for this, also in folders below */
  query?: string;
  /** What the rows are sorted by */
  order?: "title" | "changed" | "created";
  /** Smallest or oldest first */
  ascending?: boolean;
  /** Rows to skip */
  offset?: number;
  /** Go on here: `next` of the answer before */
  cursor?: string;
  /** Most rows */
  limit?: number;
}

export type PageDocumentsAnswer = { documents: ({ id: string; title: string; status: string; role: string; canEdit: boolean; canManage: boolean; folder: string | null; folderName: string | null; owner: string; who: { person: string | null; agent: string | null; task: string | null; label: string | null }; changed: string; snippet: string })[]; total: number | null; next: string | null };

/** Tell who would see documents in another folder, and who would not see them any more. */
export interface PageMovePreviewArguments {
  /** doc_… */
  documentIds: (string)[];
  /** folder_… */
  folderId: string;
}

export type PageMovePreviewAnswer = { folderName: string; gaining: ({ name: string; isMe: boolean; before: string | null; after: string | null; documents: number })[]; gainingTotal: number; losing: ({ name: string; isMe: boolean; before: string | null; after: string | null; documents: number })[]; losingTotal: number; changing: ({ name: string; isMe: boolean; before: string | null; after: string | null; documents: number })[]; changingTotal: number };

/** Put documents into another folder, which decides who sees them: all of them or none. */
export interface PageMoveDocumentsArguments {
  /** doc_… */
  documentIds: (string)[];
  /** folder_… */
  folderId: string;
}

export type PageMoveDocumentsAnswer = { folderName: string; undo: ({ folderId: string; documentIds: (string)[] })[] };

/** Tell what has to be filled in to make a document from a template. */
export interface PageTemplateArguments {
  /** doc_… */
  documentId: string;
}

export type PageTemplateAnswer = { title: string; description: string; variables: ({ name: string; description: string; default: string | null })[] };

/** Make a folder: in another one, of a team, or else in the personal folder. */
export interface PageAddFolderArguments {
  /** Name of the folder */
  name: string;
  /** Folder to make it in */
  parentId?: string;
  /** Team to make it for, beside its other folders */
  teamId?: string;
  /** Whether its documents are templates */
  templates?: boolean;
}

export type PageAddFolderAnswer = { folderId: string; name: string; parent: string | null };

/** Give a folder another name; its address stays. */
export interface PageRenameFolderArguments {
  /** folder_… */
  folderId: string;
  /** Name of the folder */
  name: string;
}

export type PageRenameFolderAnswer = { folderId: string; name: string; parent: string | null };

/** Put a folder into another one of the same user or team; who sees it stays the same. */
export interface PageMoveFolderArguments {
  /** folder_… */
  folderId: string;
  /** Folder to put it into */
  parentId: string;
}

export type PageMoveFolderAnswer = { folderId: string; name: string; parent: string | null };

/** Delete an empty folder. */
export interface PageDeleteFolderArguments {
  /** folder_… */
  folderId: string;
}

export type PageDeleteFolderAnswer = { folderId: string; name: string; parent: string | null };

/** Count what waits in the inbox of the user, up to a hundred or so. */
export interface PageWaitingArguments {
}

export type PageWaitingAnswer = { count: number; more: boolean };

/** Show what waits for the user: conflicts, proposals, suggestions, comments, tasks, decisions. */
export interface PageInboxArguments {
  /** Most items of a kind */
  limit?: number;
  /** Most things changed last */
  recent?: number;
}

export type PageInboxAnswer = { items: ({ id: string; kind: "conflict" | "proposal" | "suggestion" | "comment" | "task" | "decision"; title: string; document?: string; suggestionId?: string; commentId?: string; task?: string; decision?: string; proposal?: string; branch?: string; sources?: (string)[]; twins?: ({ key: string; text: string })[]; section?: string; before?: string; after?: string; body?: string; state?: string; now?: string; meant?: string; who: { person: string | null; agent: string | null; task: string | null; label: string | null }; when: string; can: (string)[] })[]; counts: { [key: string]: Json }; more: boolean; recent: ({ kind: string; id: string; title: string; place: string; changed: string; who: { person: string | null; agent: string | null; task: string | null; label: string | null } })[] };

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

/** Show which models make vectors, how far they are, and which language model is asked. */
export interface PageModelsArguments {
}

export type PageModelsAnswer = { models: ({ name: string; role: string; state: string; embedded: number; pending: number; failed: number; rate: number; secondsLeft: number | null; reason: string | null })[]; pending: number; reason: string | null; isAutomatic: boolean; languageModel: string | null; endpoint: string | null; reindex: { started: string; ended: string | null; step: string; done: number; total: number; result: Json; error: string | null } | null };

/** Let this server make vectors in the background; for the owner alone. */
export interface PageMakeVectorsArguments {
  /** What waits; what failed, again; or all vectors anew, while the old ones answer */
  what: "pending" | "retry" | "rebuild";
}

export type PageMakeVectorsAnswer = { models: ({ name: string; role: string; state: string; embedded: number; pending: number; failed: number; rate: number; secondsLeft: number | null; reason: string | null })[]; pending: number; reason: string | null; isAutomatic: boolean; languageModel: string | null; endpoint: string | null; reindex: { started: string; ended: string | null; step: string; done: number; total: number; result: Json; error: string | null } | null };

/** Make the text index anew where it does not fit the values; for the owner alone. */
export interface PageReindexArguments {
}

export type PageReindexAnswer = { models: ({ name: string; role: string; state: string; embedded: number; pending: number; failed: number; rate: number; secondsLeft: number | null; reason: string | null })[]; pending: number; reason: string | null; isAutomatic: boolean; languageModel: string | null; endpoint: string | null; reindex: { started: string; ended: string | null; step: string; done: number; total: number; result: Json; error: string | null } | null };

/** List the users of the workspace to its owner and admins; others see themselves. */
export interface PagePeopleArguments {
}

export type PagePeopleAnswer = { people: ({ id: string; name: string; email: string; isOwner: boolean; made: string })[] };

/** Add a user, and make a code with which they sign in once, within ten minutes. */
export interface PageAddPersonArguments {
  /** By which the user is known */
  email: string;
  /** Without: what is before the @ */
  name?: string;
}

export type PageAddPersonAnswer = { person: { id: string; name: string; email: string; isOwner: boolean; made: string }; code: string; expires: string };

/** Make a code with which a user signs in once, within ten minutes. */
export interface PageSignInCodeArguments {
  /** A user: id or email */
  personId: string;
}

export type PageSignInCodeAnswer = { person: { id: string; name: string; email: string; isOwner: boolean; made: string }; code: string; expires: string };

/** Change the name of a user, or the email that they are known by. */
export interface PageRenamePersonArguments {
  /** A user: id or email */
  personId: string;
  /** The new name */
  name?: string;
  /** The new email; for admins */
  email?: string;
}

export type PageRenamePersonAnswer = { id: string; name: string; email: string; isOwner: boolean; made: string };

/** Count the documents and Spaces that a user has of their own; for admins. */
export interface PageBelongingsArguments {
  /** A user: id or email */
  personId: string;
}

export type PageBelongingsAnswer = { documents: number; spaces: number };

/** Remove a user; their documents go to another one, their tokens and browsers end. */
export interface PageRemovePersonArguments {
  /** A user: id or email */
  personId: string;
  /** The user who gets their documents: id or email */
  giveTo?: string;
}

export type PageRemovePersonAnswer = { id: string; name: string; email: string; isOwner: boolean; made: string };

/** List the browsers in which the caller is signed in. */
export interface PageBrowsersArguments {
}

export type PageBrowsersAnswer = { browsers: ({ id: string; label: string; made: string; lastUsed: string; expires: string; token: string | null; isThis: boolean })[] };

/** Sign one browser out. */
export interface PageCloseBrowserArguments {
  /** As browsers lists it */
  browserId: string;
}

export type PageCloseBrowserAnswer = { browsers: number };

/** Sign a user out everywhere but in the browser that calls, and drop their unused codes. */
export interface PageCloseBrowsersArguments {
  /** A user: id or email */
  personId: string;
}

export type PageCloseBrowsersAnswer = { browsers: number };

/** Accept or reject a change that an agent proposed. */
export interface PageDecideProposalArguments {
  /** Id of the proposal */
  proposalId: string;
  /** What becomes of it */
  decision: "accept" | "reject";
  /** Accept: this text in place of the proposed one */
  words?: string;
  /** Accept: also where the branch has changed since */
  force?: boolean;
}

export type PageDecideProposalAnswer = { commits: (number)[]; cleared: (number)[]; documents: (string)[] };

/** Take a decision about a proposal back: it waits again. */
export interface PageReopenProposalArguments {
  /** Commits of the decision on the branch */
  commits: (number)[];
  /** Commits of the decision where the proposal waited */
  cleared: (number)[];
  /** Documents that the decision made */
  documents?: (string)[];
}

export type PageReopenProposalAnswer = { commits: (number)[]; cleared: (number)[]; documents: (string)[] };

/** List published documents that the user manages: addresses, and what has changed since. */
export interface PagePublishedArguments {
  /** Only those behind this document */
  after?: string;
  /** Most entries */
  limit?: number;
}

export type PagePublishedAnswer = { pages: ({ documentId: string; title: string; isPublic: boolean; number: number | null; versions: number; hasChanges: boolean | null; isPinned: boolean; path: string; url: string; published: string | null })[]; next: string | null };

/** List the versions of a document that were published, newest first. */
export interface PagePublishedVersionsArguments {
  /** doc_… */
  documentId: string;
  /** Only versions before this number */
  before?: number;
  /** Most entries */
  limit?: number;
}

export type PagePublishedVersionsAnswer = { versions: ({ number: number; title: string; summary: string; published: string; person: string | null; agent: string | null; isShown: boolean })[]; next: number | null };

/** Read a version as it was published, beside the one that visitors read now. */
export interface PagePublishedTextArguments {
  /** doc_… */
  documentId: string;
  /** Number of the published version */
  number: number;
}

export type PagePublishedTextAnswer = { title: string; text: string; shown: string | null };

/** Show an earlier version of a published document to visitors; its text stays as it is. */
export interface PageRollbackArguments {
  /** doc_… */
  documentId: string;
  /** Number of the published version */
  number: number;
}

export type PageRollbackAnswer = { documentId: string; title: string; isPublic: boolean; number: number | null; versions: number; hasChanges: boolean | null; isPinned: boolean; path: string; url: string; published: string | null };

/** Put a published document first on its profile, or back among the others. */
export interface PagePinArguments {
  /** doc_… */
  documentId: string;
  /** First on the profile, or no longer */
  isPinned: boolean;
}

export type PagePinAnswer = { documentId: string; title: string; isPublic: boolean; number: number | null; versions: number; hasChanges: boolean | null; isPinned: boolean; path: string; url: string; published: string | null };

/** Show the public profile of the user. */
export interface PageProfileArguments {
}

export type PageProfileAnswer = { name: string; title: string; about: string; path: string; url: string };

/** Change the public profile of the user; what is left out stays. */
export interface PageSetProfileArguments {
  /** The part of its address; old ones go on leading here */
  profileName?: string;
  /** What it is headed */
  title?: string;
  /** A few lines about the user */
  about?: string;
}

export type PageSetProfileAnswer = { name: string; title: string; about: string; path: string; url: string };

/** Show what is done with a secret in what is written. */
export interface PageSecretsArguments {
}

export type PageSecretsAnswer = { mode: string; modes: (string)[]; isFixed: boolean; days: number; refused: ({ kind: string; who: { person: string | null; agent: string | null; task: string | null; label: string | null }; times: number; last: string })[] };

/** Choose what is done with secrets from now on; for the owner alone. */
export interface PageSetSecretsArguments {
  /** What to do with one */
  mode: "refuse" | "mask" | "allow";
}

export type PageSetSecretsAnswer = { mode: string; modes: (string)[]; isFixed: boolean; days: number; refused: ({ kind: string; who: { person: string | null; agent: string | null; task: string | null; label: string | null }; times: number; last: string })[] };

/** Tell whether a text would be refused; it is neither stored nor logged. */
export interface PageTrySecretsArguments {
  /** Nothing of it is kept */
  text: string;
}

export type PageTrySecretsAnswer = { mode: string; found: ({ kind: string; line: number })[]; masked: string };

/** List the parts of the settings that the caller may use. */
export interface PageSettingsArguments {
}

export type PageSettingsAnswer = { parts: (string)[] };

/** Show which of the first steps the caller has done. */
export interface PageWelcomeArguments {
}

export type PageWelcomeAnswer = { dismissed: (string)[]; isNamed: boolean; hasCalled: boolean; hasExample: boolean | null };

/** Remember that the caller does not want to see a hint again. */
export interface PageDismissArguments {
  /** name, client or example */
  hint: string;
}

export type PageDismissAnswer = { dismissed: (string)[]; isNamed: boolean; hasCalled: boolean; hasExample: boolean | null };

/** List the teams that the caller belongs to, with their members. */
export interface PageTeamsArguments {
}

export type PageTeamsAnswer = { teams: ({ id: string; name: string; parent: string | null; members: ({ id: string; name: string; email: string; role: string })[]; manages: boolean })[] };

/** Make a team below another one, or below the workspace. */
export interface PageAddTeamArguments {
  /** What the team is called */
  name: string;
  /** The team above it; without: the workspace */
  parentId?: string;
}

export type PageAddTeamAnswer = { id: string; name: string; parent: string | null; members: ({ id: string; name: string; email: string; role: string })[]; manages: boolean };

/** Give a team another name. */
export interface PageRenameTeamArguments {
  /** A team: id or name */
  teamId: string;
  /** The new name */
  name: string;
}

export type PageRenameTeamAnswer = { id: string; name: string; parent: string | null; members: ({ id: string; name: string; email: string; role: string })[]; manages: boolean };

/** Remove a team that has no teams, folders or Spaces any more; its members stay users. */
export interface PageRemoveTeamArguments {
  /** A team: id or name */
  teamId: string;
}

export type PageRemoveTeamAnswer = { teams: ({ id: string; name: string; parent: string | null; members: ({ id: string; name: string; email: string; role: string })[]; manages: boolean })[] };

/** Make a user a member of a team, or change their role. */
export interface PageSetMemberArguments {
  /** A team: id or name */
  teamId: string;
  /** A user: id or email */
  personId: string;
  /** In the team and below it */
  role: "viewer" | "commenter" | "editor" | "admin";
}

export type PageSetMemberAnswer = { id: string; name: string; parent: string | null; members: ({ id: string; name: string; email: string; role: string })[]; manages: boolean };

/** Remove a user from a team; everybody may leave one. */
export interface PageRemoveMemberArguments {
  /** A team: id or name */
  teamId: string;
  /** A user: id or email */
  personId: string;
}

export type PageRemoveMemberAnswer = { teams: ({ id: string; name: string; parent: string | null; members: ({ id: string; name: string; email: string; role: string })[]; manages: boolean })[] };

/** Show who sees a document and through what. */
export interface PageSharingArguments {
  /** doc_… */
  documentId: string;
}

export type PageSharingAnswer = { folder: string; people: ({ id: string; name: string; email: string; role: string; through: "folder" | "share" | "link" | "team"; team: string | null })[]; invited: ({ email: string; role: string })[]; manages: boolean; admits: boolean; links: ({ id: string; kind: "invitation" | "open"; role: string; newcomers: boolean; by: string; created: string; expires: string | null; mostUses: number | null; uses: number; ended: boolean })[] };

/** Make a link that lets others into a document: an invitation, or its open link. */
export interface PageMakeLinkArguments {
  /** doc_… */
  documentId: string;
  /** What it lets others do */
  role: "viewer" | "commenter" | "editor";
  /** open: what it gives ends with it; no editors */
  kind?: "invitation" | "open";
  /** How long it is good */
  days?: number;
  /** How many may use it */
  uses?: number;
  /** Let in who has no user yet; takes an admin */
  newcomers?: boolean;
}

export type PageMakeLinkAnswer = { link: { id: string; kind: "invitation" | "open"; role: string; newcomers: boolean; by: string; created: string; expires: string | null; mostUses: number | null; uses: number; ended: boolean }; path: string };

/** List the links that let others into a team; for an admin of the team. */
export interface PageTeamLinksArguments {
  /** A team: id or name */
  teamId: string;
}

export type PageTeamLinksAnswer = { admits: boolean; links: ({ id: string; kind: "invitation" | "open"; role: string; newcomers: boolean; by: string; created: string; expires: string | null; mostUses: number | null; uses: number; ended: boolean })[] };

/** Make a link that lets others into a team; for an admin of the team. */
export interface PageMakeTeamLinkArguments {
  /** A team: id or name */
  teamId: string;
  /** What it lets others do */
  role: "viewer" | "commenter" | "editor";
  /** How long it is good */
  days?: number;
  /** How many may use it */
  uses?: number;
  /** Let in who has no user yet; takes an admin */
  newcomers?: boolean;
}

export type PageMakeTeamLinkAnswer = { link: { id: string; kind: "invitation" | "open"; role: string; newcomers: boolean; by: string; created: string; expires: string | null; mostUses: number | null; uses: number; ended: boolean }; path: string };

/** Take a link back; what an open link gave ends with it. */
export interface PageRevokeLinkArguments {
  /** link_… */
  linkId: string;
}

export type PageRevokeLinkAnswer = { linkId: string };

/** Show a Space and who sees it; the documents in it come with page_documents. */
export interface PageSpaceArguments {
  /** space_… */
  spaceId: string;
}

export type PageSpaceAnswer = { id: string; name: string; description: string; team: string | null; teamName: string | null; canChange: boolean; members: ({ name: string; role: string })[]; total: number };

/** Make a Space of the user's own, or of a team. */
export interface PageAddSpaceArguments {
  /** Name of the Space */
  name: string;
  /** Team to make it for; default: the user's own */
  teamId?: string;
  /** What the Space is for, up to 1,000 characters */
  description?: string;
}

export type PageAddSpaceAnswer = { spaceId: string; name: string };

/** Give a Space another name; its address stays. */
export interface PageRenameSpaceArguments {
  /** space_… */
  spaceId: string;
  /** Name of the Space */
  name: string;
}

export type PageRenameSpaceAnswer = { spaceId: string; name: string };

/** Say what a Space is for; an empty text removes the description. */
export interface PageDescribeSpaceArguments {
  /** space_… */
  spaceId: string;
  /** What the Space is for, up to 1,000 characters */
  description: string;
}

export type PageDescribeSpaceAnswer = { spaceId: string; name: string };

/** Delete a Space; the documents in it stay in their folders. */
export interface PageDeleteSpaceArguments {
  /** space_… */
  spaceId: string;
}

export type PageDeleteSpaceAnswer = { spaceId: string; name: string };

/** Put documents into a Space; they stay in their folders, and no user sees more of them. */
export interface PagePutInSpaceArguments {
  /** space_… */
  spaceId: string;
  /** doc_… */
  documentIds: (string)[];
}

export type PagePutInSpaceAnswer = { spaceId: string; name: string; documents: number };

/** Take documents out of a Space; they stay in their folders. */
export interface PageRemoveFromSpaceArguments {
  /** space_… */
  spaceId: string;
  /** doc_… */
  documentIds: (string)[];
}

export type PageRemoveFromSpaceAnswer = { spaceId: string; name: string; documents: number };

/** Count the newest commits by day, author and kind, and what is on the branch day by day. */
export interface PageStatisticsArguments {
  /** Newest commits to count */
  commits?: number;
  /** Days to show */
  days?: number;
}

export type PageStatisticsAnswer = { writes: ({ day: string; who: string; isAgent: boolean; group: string; count: number })[]; totals: ({ day: string; facts: number; events: number; decisions: number; documents: number })[]; commits: number; since: string | null; more: boolean; sizeBytes: number };

/** List the tokens that the caller may revoke, newest first. */
export interface PageTokensArguments {
  /** Only this one */
  tokenId?: string;
}

export type PageTokensAnswer = { tokens: ({ id: string; label: string; groups: (string)[]; isReadOnly: boolean; isSuggestOnly: boolean; isProposing: boolean; user: string | null; made: string; expires: string | null; lastUsed: string | null; revoked: string | null })[]; groups: (string)[] };

/** Make a token; its secret is shown now and never again. */
export interface PageMakeTokenArguments {
  /** What the token is called; commits made with it name this */
  label: string;
  /** Of tools; empty: all that the user may use */
  groups?: (string)[];
  /** Writes nothing */
  isReadOnly?: boolean;
  /** Edits of documents become suggestions */
  isSuggestOnly?: boolean;
  /** All that it writes waits for a user */
  isProposing?: boolean;
  /** The user that it acts for; without: the caller */
  personId?: string;
  /** How long it is good, such as 90d */
  expires?: string;
}

export type PageMakeTokenAnswer = { token: { id: string; label: string; groups: (string)[]; isReadOnly: boolean; isSuggestOnly: boolean; isProposing: boolean; user: string | null; made: string; expires: string | null; lastUsed: string | null; revoked: string | null }; secret: string };

/** Let a token open nothing from now on. */
export interface PageRevokeTokenArguments {
  /** As tokens lists it */
  tokenId: string;
}

export type PageRevokeTokenAnswer = { id: string; label: string; groups: (string)[]; isReadOnly: boolean; isSuggestOnly: boolean; isProposing: boolean; user: string | null; made: string; expires: string | null; lastUsed: string | null; revoked: string | null };

/** List the documents in the trash of the branch, with who put them there and when. */
export interface PageTrashArguments {
  /** Only documents with these words in their title */
  query?: string;
  /** Documents to skip */
  offset?: number;
  /** Most rows */
  limit?: number;
}

export type PageTrashAnswer = { documents: ({ id: string; title: string; owner: string; folderName: string | null; who: { person: string | null; agent: string | null; task: string | null; label: string | null }; trashed: string; canRestore: boolean })[]; total: number; canErase: boolean };

/** Put documents into the trash, all of them or none; they can be restored. */
export interface PageTrashDocumentsArguments {
  /** doc_… */
  documentIds: (string)[];
}

export type PageTrashDocumentsAnswer = { documents: number };

/** Take documents out of the trash, all of them or none; they are where they were. */
export interface PageUntrashDocumentsArguments {
  /** doc_… */
  documentIds: (string)[];
}

export type PageUntrashDocumentsAnswer = { documents: number };

/** Tell what would be erased for good with documents. */
export interface PageErasureArguments {
  /** doc_… */
  documentIds: (string)[];
}

export type PageErasureAnswer = { documents: number; versions: number; isMore: boolean; images: number; comments: number; published: number };

/** Erase documents in the trash for good: from every branch, all history and the file. */
export interface PageEraseDocumentsArguments {
  /** doc_… */
  documentIds: (string)[];
}

export type PageEraseDocumentsAnswer = { documents: number; versions: number; isComplete: boolean };

/** List the versions of a document with their authors, newest first. */
export interface PageVersionsArguments {
  /** doc_… */
  documentId: string;
  /** Those before this version */
  before?: number;
  /** Most entries */
  limit?: number;
}

export type PageVersionsAnswer = { versions: ({ version: number; when: string; started: string; who: ({ person: string | null; agent: string | null; task: string | null; label: string | null })[]; name: string | null; operation: string; bytes: number; edits: number })[]; next: string | null };

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
  page_agents: { arguments: PageAgentsArguments; answer: PageAgentsAnswer };
  page_tasks: { arguments: PageTasksArguments; answer: PageTasksAnswer };
  page_task: { arguments: PageTaskArguments; answer: PageTaskAnswer };
  page_cancel_task: { arguments: PageCancelTaskArguments; answer: PageCancelTaskAnswer };
  page_repeat_task: { arguments: PageRepeatTaskArguments; answer: PageRepeatTaskAnswer };
  page_define_agent: { arguments: PageDefineAgentArguments; answer: PageDefineAgentAnswer };
  page_remove_agent: { arguments: PageRemoveAgentArguments; answer: PageRemoveAgentAnswer };
  page_audit: { arguments: PageAuditArguments; answer: PageAuditAnswer };
  page_branches: { arguments: PageBranchesArguments; answer: PageBranchesAnswer };
  page_health: { arguments: PageHealthArguments; answer: PageHealthAnswer };
  page_verify: { arguments: PageVerifyArguments; answer: PageVerifyAnswer };
  page_backups: { arguments: PageBackupsArguments; answer: PageBackupsAnswer };
  page_backup: { arguments: PageBackupArguments; answer: PageBackupAnswer };
  page_clients: { arguments: PageClientsArguments; answer: PageClientsAnswer };
  page_decide: { arguments: PageDecideArguments; answer: PageDecideAnswer };
  page_reverse_decision: { arguments: PageReverseDecisionArguments; answer: PageReverseDecisionAnswer };
  page_topics: { arguments: PageTopicsArguments; answer: PageTopicsAnswer };
  page_decisions: { arguments: PageDecisionsArguments; answer: PageDecisionsAnswer };
  page_decision_graph: { arguments: PageDecisionGraphArguments; answer: PageDecisionGraphAnswer };
  page_about: { arguments: PageAboutArguments; answer: PageAboutAnswer };
  page_origin: { arguments: PageOriginArguments; answer: PageOriginAnswer };
  page_review: { arguments: PageReviewArguments; answer: PageReviewAnswer };
  page_rename: { arguments: PageRenameArguments; answer: PageRenameAnswer };
  page_restore: { arguments: PageRestoreArguments; answer: PageRestoreAnswer };
  page_name_version: { arguments: PageNameVersionArguments; answer: PageNameVersionAnswer };
  page_memory: { arguments: PageMemoryArguments; answer: PageMemoryAnswer };
  page_fact: { arguments: PageFactArguments; answer: PageFactAnswer };
  page_purge: { arguments: PagePurgeArguments; answer: PagePurgeAnswer };
  page_events: { arguments: PageEventsArguments; answer: PageEventsAnswer };
  page_event: { arguments: PageEventArguments; answer: PageEventAnswer };
  page_event_types: { arguments: PageEventTypesArguments; answer: PageEventTypesAnswer };
  page_make_example: { arguments: PageMakeExampleArguments; answer: PageMakeExampleAnswer };
  page_remove_example: { arguments: PageRemoveExampleArguments; answer: PageRemoveExampleAnswer };
  page_files: { arguments: PageFilesArguments; answer: PageFilesAnswer };
  page_detach_file: { arguments: PageDetachFileArguments; answer: PageDetachFileAnswer };
  page_recent: { arguments: PageRecentArguments; answer: PageRecentAnswer };
  page_find: { arguments: PageFindArguments; answer: PageFindAnswer };
  page_folders: { arguments: PageFoldersArguments; answer: PageFoldersAnswer };
  page_documents: { arguments: PageDocumentsArguments; answer: PageDocumentsAnswer };
  page_move_preview: { arguments: PageMovePreviewArguments; answer: PageMovePreviewAnswer };
  page_move_documents: { arguments: PageMoveDocumentsArguments; answer: PageMoveDocumentsAnswer };
  page_template: { arguments: PageTemplateArguments; answer: PageTemplateAnswer };
  page_add_folder: { arguments: PageAddFolderArguments; answer: PageAddFolderAnswer };
  page_rename_folder: { arguments: PageRenameFolderArguments; answer: PageRenameFolderAnswer };
  page_move_folder: { arguments: PageMoveFolderArguments; answer: PageMoveFolderAnswer };
  page_delete_folder: { arguments: PageDeleteFolderArguments; answer: PageDeleteFolderAnswer };
  page_waiting: { arguments: PageWaitingArguments; answer: PageWaitingAnswer };
  page_inbox: { arguments: PageInboxArguments; answer: PageInboxAnswer };
  page_compare: { arguments: PageCompareArguments; answer: PageCompareAnswer };
  page_merge: { arguments: PageMergeArguments; answer: PageMergeAnswer };
  page_models: { arguments: PageModelsArguments; answer: PageModelsAnswer };
  page_make_vectors: { arguments: PageMakeVectorsArguments; answer: PageMakeVectorsAnswer };
  page_reindex: { arguments: PageReindexArguments; answer: PageReindexAnswer };
  page_people: { arguments: PagePeopleArguments; answer: PagePeopleAnswer };
  page_add_person: { arguments: PageAddPersonArguments; answer: PageAddPersonAnswer };
  page_sign_in_code: { arguments: PageSignInCodeArguments; answer: PageSignInCodeAnswer };
  page_rename_person: { arguments: PageRenamePersonArguments; answer: PageRenamePersonAnswer };
  page_belongings: { arguments: PageBelongingsArguments; answer: PageBelongingsAnswer };
  page_remove_person: { arguments: PageRemovePersonArguments; answer: PageRemovePersonAnswer };
  page_browsers: { arguments: PageBrowsersArguments; answer: PageBrowsersAnswer };
  page_close_browser: { arguments: PageCloseBrowserArguments; answer: PageCloseBrowserAnswer };
  page_close_browsers: { arguments: PageCloseBrowsersArguments; answer: PageCloseBrowsersAnswer };
  page_decide_proposal: { arguments: PageDecideProposalArguments; answer: PageDecideProposalAnswer };
  page_reopen_proposal: { arguments: PageReopenProposalArguments; answer: PageReopenProposalAnswer };
  page_published: { arguments: PagePublishedArguments; answer: PagePublishedAnswer };
  page_published_versions: { arguments: PagePublishedVersionsArguments; answer: PagePublishedVersionsAnswer };
  page_published_text: { arguments: PagePublishedTextArguments; answer: PagePublishedTextAnswer };
  page_rollback: { arguments: PageRollbackArguments; answer: PageRollbackAnswer };
  page_pin: { arguments: PagePinArguments; answer: PagePinAnswer };
  page_profile: { arguments: PageProfileArguments; answer: PageProfileAnswer };
  page_set_profile: { arguments: PageSetProfileArguments; answer: PageSetProfileAnswer };
  page_secrets: { arguments: PageSecretsArguments; answer: PageSecretsAnswer };
  page_set_secrets: { arguments: PageSetSecretsArguments; answer: PageSetSecretsAnswer };
  page_try_secrets: { arguments: PageTrySecretsArguments; answer: PageTrySecretsAnswer };
  page_settings: { arguments: PageSettingsArguments; answer: PageSettingsAnswer };
  page_welcome: { arguments: PageWelcomeArguments; answer: PageWelcomeAnswer };
  page_dismiss: { arguments: PageDismissArguments; answer: PageDismissAnswer };
  page_teams: { arguments: PageTeamsArguments; answer: PageTeamsAnswer };
  page_add_team: { arguments: PageAddTeamArguments; answer: PageAddTeamAnswer };
  page_rename_team: { arguments: PageRenameTeamArguments; answer: PageRenameTeamAnswer };
  page_remove_team: { arguments: PageRemoveTeamArguments; answer: PageRemoveTeamAnswer };
  page_set_member: { arguments: PageSetMemberArguments; answer: PageSetMemberAnswer };
  page_remove_member: { arguments: PageRemoveMemberArguments; answer: PageRemoveMemberAnswer };
  page_sharing: { arguments: PageSharingArguments; answer: PageSharingAnswer };
  page_make_link: { arguments: PageMakeLinkArguments; answer: PageMakeLinkAnswer };
  page_team_links: { arguments: PageTeamLinksArguments; answer: PageTeamLinksAnswer };
  page_make_team_link: { arguments: PageMakeTeamLinkArguments; answer: PageMakeTeamLinkAnswer };
  page_revoke_link: { arguments: PageRevokeLinkArguments; answer: PageRevokeLinkAnswer };
  page_space: { arguments: PageSpaceArguments; answer: PageSpaceAnswer };
  page_add_space: { arguments: PageAddSpaceArguments; answer: PageAddSpaceAnswer };
  page_rename_space: { arguments: PageRenameSpaceArguments; answer: PageRenameSpaceAnswer };
  page_describe_space: { arguments: PageDescribeSpaceArguments; answer: PageDescribeSpaceAnswer };
  page_delete_space: { arguments: PageDeleteSpaceArguments; answer: PageDeleteSpaceAnswer };
  page_put_in_space: { arguments: PagePutInSpaceArguments; answer: PagePutInSpaceAnswer };
  page_remove_from_space: { arguments: PageRemoveFromSpaceArguments; answer: PageRemoveFromSpaceAnswer };
  page_statistics: { arguments: PageStatisticsArguments; answer: PageStatisticsAnswer };
  page_tokens: { arguments: PageTokensArguments; answer: PageTokensAnswer };
  page_make_token: { arguments: PageMakeTokenArguments; answer: PageMakeTokenAnswer };
  page_revoke_token: { arguments: PageRevokeTokenArguments; answer: PageRevokeTokenAnswer };
  page_trash: { arguments: PageTrashArguments; answer: PageTrashAnswer };
  page_trash_documents: { arguments: PageTrashDocumentsArguments; answer: PageTrashDocumentsAnswer };
  page_untrash_documents: { arguments: PageUntrashDocumentsArguments; answer: PageUntrashDocumentsAnswer };
  page_erasure: { arguments: PageErasureArguments; answer: PageErasureAnswer };
  page_erase_documents: { arguments: PageEraseDocumentsArguments; answer: PageEraseDocumentsAnswer };
  page_versions: { arguments: PageVersionsArguments; answer: PageVersionsAnswer };
  page_text: { arguments: PageTextArguments; answer: PageTextAnswer };
}
