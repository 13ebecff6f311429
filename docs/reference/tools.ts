// Written by `./dev python -m strata.reference`; do not edit.
// Arguments and answers of Strata's tools, for clients written in TypeScript.

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** What an answer that was cut says about its rest. */
export interface NextCall {
  tool: string;
  arguments: { [key: string]: Json };
}

/** Remember or update a fact under a key; old values stay in history. */
export interface StrataStoreArguments {
  /** Name of the fact */
  key?: string;
  /** Text or any JSON */
  value?: Json;
  /** Labels (until:DATE); omitted: kept */
  tags?: (string)[];
  /** Group of names */
  namespace?: string;
  /** Only this part, e.g. $.port */
  path?: string;
  /** Only at this version; 0: if new */
  if_version?: number;
  /** Keys it replaces */
  replaces?: (string)[];
  /** Several, all or none; tags, namespace fill gaps */
  items?: ({ key: string; value: Json; tags?: (string)[]; namespace?: string; if_version?: number })[];
  /** Keep it though it looks like a password or key */
  allow_secrets?: boolean;
  /** Default: current */
  branch?: string;
}

export type StrataStoreAnswer = { key?: string; version: number; timestamp: string; branch?: string; unchanged?: boolean; same_as?: (string)[]; similar?: (Json)[]; hint?: string; results?: (Json)[] };

/** Get what is stored under an exact key, now or at a past time. */
export interface StrataRecallArguments {
  /** Name of the fact */
  key?: string;
  /** Several names */
  keys?: (string)[];
  /** List names that begin so; "" lists all */
  prefix?: string;
  /** Group of names */
  namespace?: string;
  /** Past time: ISO 8601, "2h ago", "last friday 12:00", version */
  as_of?: string | number;
  /** Go on behind this name */
  after?: string;
  /** Go on at this character of a long value */
  offset?: number;
  /** Most entries */
  limit?: number;
  /** Default: current */
  branch?: string;
}

export type StrataRecallAnswer = { found?: boolean; key?: string; value?: Json; version?: number; timestamp?: string; tags?: (string)[]; kind?: string; similar?: (string)[]; hint?: string; results?: (Json)[]; keys?: (string)[]; as_of?: string; truncated?: boolean; next?: NextCall };

/** Find facts, events, decisions, documents by meaning and words. */
export interface StrataSearchArguments {
  /** In any language */
  query: string;
  /** At most */
  k?: number;
  /** All of these */
  tags?: (string)[];
  /** Default: all */
  namespace?: string;
  /** Past time: ISO 8601, "2h ago", "last friday 12:00", version */
  as_of?: string | number;
  /** Written since */
  since?: string | number;
  /** Written until */
  until?: string | number;
  /** memory: decisions */
  kinds?: ("kv" | "json" | "state" | "event" | "memory" | "document" | "turn")[];
  /** False: the nearest, relevant or not */
  strict?: boolean;
  /** What no longer holds, too */
  expired?: boolean;
  /** Results to skip */
  offset?: number;
  /** Default: current */
  branch?: string;
}

export type StrataSearchAnswer = { results: ({ key: string; kind: string; namespace?: string; value?: Json; snippet?: string; score: number; relevance?: number; timestamp: string; version: number; event?: string; topic?: string; caveat?: string; tags?: (string)[] })[]; as_of?: string; notes?: (string)[]; pending?: number; known?: boolean; nearest?: string; truncated?: boolean; next?: NextCall };

/** Delete a fact by its key. */
export interface StrataForgetArguments {
  /** Name of the fact */
  key?: string;
  /** Several names */
  keys?: (string)[];
  /** Group of names */
  namespace?: string;
  /** Default: current */
  branch?: string;
}

export type StrataForgetAnswer = { deleted: boolean; branch: string; results?: { [key: string]: Json } };

/** Record that something happened, append-only. */
export interface StrataLogArguments {
  /** Type of event, e.g. "deploy", "observation" */
  event: string;
  /** Text or object */
  data: Json;
  /** When it happened; default now */
  time?: string | number;
  /** Keep it though it looks like a password or key */
  allow_secrets?: boolean;
  /** Default: current */
  branch?: string;
}

export type StrataLogAnswer = { event: string; sequence: number; timestamp: string; version: number; branch: string; recorded?: string };

/** Work in isolation: try changes on a branch, then merge or discard them. */
export interface StrataBranchArguments {
  /** What to do */
  action: "create" | "fork" | "switch" | "list" | "merge" | "diff" | "delete" | "restore" | "log" | "revert";
  /** Branch name */
  name?: string;
  /** To fork from, or to merge */
  source?: string;
  /** Fork from then */
  at?: string | number;
  /** Default: current */
  branch?: string;
  /** Those that restore can bring back */
  deleted?: boolean;
  /** Entries to skip */
  offset?: number;
  /** Most entries */
  limit?: number;
  /** strict: stop, list conflicts; others list resolved */
  strategy?: "strict" | "source_wins" | "target_wins" | "newest";
  /** Only show it */
  preview?: boolean;
  /** Decide conflicts by id or key: "ours", "theirs", "both" or {"value": …} */
  choices?: { [key: string]: Json };
  /** Branch to diff with */
  compare?: string;
  /** Show also what current changed meanwhile, as undone */
  two_sided?: boolean;
  /** Only changes of this namespace */
  namespace?: string;
  /** Unmerged work too */
  force?: boolean;
  /** Commit to revert; log: before it */
  version?: number;
  /** Commits to revert as one */
  versions?: (number)[];
}

export type StrataBranchAnswer = { branch: string; version?: number; timestamp?: string; parent?: string; switched?: boolean; current?: string; deleted?: boolean; source?: string; compare?: string; applied?: number; preview?: boolean; summary?: { [key: string]: Json }; branches?: (Json)[]; changes?: (Json)[]; conflicts?: (Json)[]; resolved?: (Json)[]; suggestions?: (Json)[]; kept?: (Json)[]; commits?: (Json)[]; hint?: string; truncated?: boolean; next?: NextCall };

/** See how a key changed, read events, or list changes. */
export interface StrataHistoryArguments {
  /** Name of the fact */
  key?: string;
  /** Group of names */
  namespace?: string;
  /** Read events of this type; "*": all */
  event?: string;
  /** After this version; of events: sequence */
  after?: number;
  /** Past time: ISO 8601, "2h ago", "last friday 12:00", version */
  as_of?: string | number;
  /** Most entries */
  limit?: number;
  /** Who wrote key, from which sources */
  why?: boolean;
  /** Default: current */
  branch?: string;
}

export type StrataHistoryAnswer = { key?: string; versions?: (Json)[]; events?: (Json)[]; changes?: (Json)[]; oldest?: string | null; latest?: string | null; origin?: { [key: string]: Json }; branch: string; as_of?: string; truncated?: boolean; next?: NextCall };

/** Show the current branch and namespace, counts, the store's path and warnings. */
export interface StrataStatusArguments {
  /** Default: current */
  branch?: string;
}

export type StrataStatusAnswer = { version: string; branch: string; namespace: string; auto_embed: boolean; branches: number; keys: number; events: number; path: string; pending_embeddings: number; embedder: string | null; tool_groups: (string)[]; warnings: (string)[] };

/** Find documents, folders and spaces: whenever you have no ID yet. */
export interface FindArguments {
  /** Kind of search */
  intent: "search" | "list" | "recent" | "related" | "info";
  /** An object, e.g. {"type":"folder","id":"folder_…"}; default all */
  scope?: { type: "all" | "space" | "document" | "folder" | "folders" | "spaces"; id?: string };
  /** For search; list, recent: words of titles */
  query?: string;
  /** Narrower */
  filters?: { status?: ("draft" | "published" | "template" | "trashed")[]; owner?: string; createdAfter?: string; createdBefore?: string; updatedAfter?: string; updatedBefore?: string; includeShared?: boolean; direction?: "in" | "out" | "both"; sinceDays?: number };
  /** Most items */
  limit?: number;
  /** From the answer before */
  nextToken?: string;
  /** Of each snippet */
  tokenBudget?: number;
  /** Past time: "2h ago", ISO 8601, version */
  asOf?: string | number;
  /** Default: current */
  branch?: string;
}

export type FindAnswer = { items: ({ id: string; type: string; title: string; snippet?: string; complete?: boolean; score?: number; relevance?: number; source?: string; chunkId?: string; headingPath?: (string)[]; more?: number; documentId?: string | null; direction?: string | null; folderId?: string | null; folderName?: string | null; owner?: string | null; ownerName?: string | null; status?: string | null; role?: string | null; created?: string; updated?: string; version?: number | null; tokens?: number | null; documents?: number | null; audience?: string | null })[]; total?: number; nextToken?: string; mode?: string; hints?: (string)[]; nearest?: string; info?: { [key: string]: Json }; asOf?: string };

/** Read a document's markdown by its ID (find gives IDs). */
export interface ReadDocumentArguments {
  /** doc_… */
  documentId: string;
  /** Heading paths, e.g. ["Goals > Dates"] */
  sections?: (string)[];
  /** Longer gives the outline; 0: always the outline */
  maxTokens?: number;
  /** Show comments */
  includeComments?: boolean;
  /** Structured: as a list */
  commentFormat?: "footnotes" | "structured";
  /** List pending ones */
  includeSuggestions?: boolean;
  /** Past time: "2h ago", ISO 8601, version */
  asOf?: string | number;
  /** Parts of the outline to skip */
  outlineFrom?: number;
  /** Default: current */
  branch?: string;
}

export type ReadDocumentAnswer = { documentId: string; title: string; version: number; content?: string; outline?: ({ path: string; tokens: number; chunkId?: string; chunks?: number; below?: number })[]; comments?: (Json)[]; suggestions?: (Json)[]; tokens: number; truncated?: boolean; read?: { [key: string]: Json }; next?: NextCall; sections?: (string)[]; images?: ({ [key: string]: Json })[]; frontmatter?: { [key: string]: Json }; role: string; audience: string; folderId?: string; folderName?: string; status: string; updated: string; branch: string; asOf?: string; hint?: string };

/** Create and change documents, say who sees them, upload files. */
export interface EditDocumentArguments {
  /** What to do */
  action: "create" | "createFromTemplate" | "edit" | "write" | "move" | "share" | "unshare" | "presignUpload" | "finalizeUpload";
  /** For a new document */
  title?: string;
  /** Markdown (create) */
  content?: string;
  /** Default: the user's personal folder */
  folderId?: string;
  /** The same again: done once */
  idempotencyKey?: string;
  /** Default: current */
  branch?: string;
  /** For createFromTemplate */
  templateDocumentId?: string;
  /** Values by the template's variables */
  variables?: { [key: string]: Json };
  /** doc_… */
  documentId?: string;
  /** Exact text to replace (edit) */
  oldString?: string;
  /** Replacement (edit) */
  newString?: string;
  /** Every match, not just one (edit) */
  replaceAll?: boolean;
  /** Version you read (edit, write) */
  baseVersion?: number;
  /** Full new markdown (write) */
  newContent?: string;
  /** For share */
  email?: string;
  /** For share */
  role?: "viewer" | "commenter" | "editor";
  /** User ID or email (unshare) */
  targetUserId?: string;
  /** Bytes (presignUpload) */
  contentLength?: number;
  /** Default text/markdown */
  contentType?: string;
  /** For finalizeUpload */
  uploadId?: string;
}

export type EditDocumentAnswer = { documentId?: string; version?: number; title?: string; branch?: string; status?: string; created?: boolean; matches?: number; suggestionId?: string; suggestionIds?: (string)[]; suggestions?: ({ [key: string]: Json })[]; currentText?: string; withdrawn?: (string)[]; trashed?: boolean; repeated?: boolean; effectiveAudience?: { [key: string]: Json }; pending?: boolean; uploadId?: string; uploadUrl?: string; requiredHeaders?: { [key: string]: Json }; expiresAt?: string; bytes?: number; imageId?: string; fileId?: string; markdown?: string; next?: NextCall; hint?: string };

/** Show what a document links to and what links to it, step by step. */
export interface GetDocumentGraphArguments {
  /** doc_… */
  documentId: string;
  /** Steps */
  depth?: number;
  /** Most documents */
  maxNodes?: number;
  /** Past time: "2h ago", ISO 8601, version */
  asOf?: string | number;
  /** Default: current */
  branch?: string;
}

export type GetDocumentGraphAnswer = { nodes: ({ id: string; title: string; depth: number | null; status: string; updated: string })[]; edges: ({ source: string; target: string; type: string; weight: number })[]; truncated?: boolean; unresolvedLinks?: number; asOf?: string };

/** Look at an image of a document, as PNG. */
export interface GetImageArguments {
  /** doc_… */
  documentId: string;
  /** Hex digits behind `image:`, or the first few */
  imageId: string;
  /** Pixels; less saves tokens */
  maxWidth?: number;
  /** Past time: "2h ago", ISO 8601, version */
  asOf?: string | number;
  /** Default: current */
  branch?: string;
}

export type GetImageAnswer = Json;

/** Get one section by chunk ID: its text and the headings above it. */
export interface AppGetSectionContentArguments {
  /** chunkId from find or an outline */
  chunkId: string;
  /** doc_… */
  documentId: string;
  /** Past time: "2h ago", ISO 8601, version */
  asOf?: string | number;
  /** Default: current */
  branch?: string;
}

export type AppGetSectionContentAnswer = { documentId: string; chunkId: string; title: string; version: number; headingPath: (string)[]; content: string; tokens: number; part?: number; parts?: number; previousChunkId?: string; nextChunkId?: string; branch: string; asOf?: string };

/** See who else is viewing or editing a document now: users, agents, in which section. */
export interface GetPresenceArguments {
  /** doc_… */
  documentId: string;
  /** Default: current */
  branch?: string;
}

export type GetPresenceAnswer = { documentId: string; collaborators: ({ entityType: string; displayName: string; via?: string; status: string; activeSection?: string; color: string; userId: string; lastSeen: string })[]; total?: number; branch: string };

/** Discuss a document: comment threads on it or on words of it. */
export interface ManageCommentsArguments {
  /** What to do */
  action: "create" | "reply" | "edit" | "delete" | "resolve" | "reopen" | "list";
  /** doc_… */
  documentId?: string;
  /** What to say (create, reply, edit) */
  body?: string;
  /** Exact text to comment on; without: the document */
  quotedText?: string;
  /** Headings above it, if it occurs several times: ["Goals","Dates"] */
  headingContext?: (string)[];
  /** Where it begins, in UTF-16 */
  start?: number;
  /** The same again: done once */
  idempotencyKey?: string;
  /** Default: current */
  branch?: string;
  /** Comment to reply to (reply) */
  parentCommentId?: string;
  /** cmt_… (edit, delete, resolve, reopen) */
  commentId?: string;
  /** Only these (list) */
  status?: "active" | "resolved";
  /** Thread to go on behind */
  after?: string;
  /** Past time: "2h ago", ISO 8601, version */
  asOf?: string | number;
}

export type ManageCommentsAnswer = { documentId: string; branch: string; commentId?: string; threadId?: string; status?: string; quotedText?: string; headingPath?: (string)[]; deleted?: boolean; unchanged?: boolean; repeated?: boolean; hint?: string; comments?: ({ commentId: string; body: string; author: string; authorId: string; via?: string | null; created: string; edited?: string; deleted?: boolean; status: string; quotedText?: string; currentText?: string; changed?: boolean; orphaned?: boolean; headingPath?: (string)[]; line?: number; start?: number; end?: number; resolvedBy?: string; resolvedAt?: string; replies?: (Json)[] })[]; total?: number; truncated?: boolean; next?: NextCall; asOf?: string };

/** Propose changes to a document, and decide about proposed ones. */
export interface ManageSuggestionsArguments {
  /** What to do */
  action: "propose" | "accept" | "reject" | "withdraw" | "list";
  /** doc_… */
  documentId?: string;
  /** Exact text to replace (propose) */
  originalText?: string;
  /** New markdown; "" deletes (propose) */
  replacementText?: string;
  /** Headings above it, if it occurs several times: ["Goals","Dates"] */
  headingContext?: (string)[];
  /** Where it begins, in UTF-16 */
  start?: number;
  /** How much it matters */
  severity?: "info" | "warning" | "error";
  /** 0 to 1 */
  confidence?: number;
  /** Why, in a sentence */
  rationale?: string;
  /** The same again: done once */
  idempotencyKey?: string;
  /** Default: current */
  branch?: string;
  /** sug_… (accept, reject, withdraw) */
  suggestionId?: string;
  /** Suggestion to go on behind */
  after?: string;
  /** Past time: "2h ago", ISO 8601, version */
  asOf?: string | number;
}

export type ManageSuggestionsAnswer = { documentId: string; branch: string; suggestionId?: string; status?: string; version?: number; edited?: boolean; unchanged?: boolean; repeated?: boolean; hint?: string; suggestions?: ({ suggestionId: string; originalText: string; replacementText: string; shortened?: boolean; author: string; authorId: string; via?: string | null; created: string; status: string; reason: string; severity: string; confidence?: number; rationale?: string; branch?: string; baseVersion?: number; applies: boolean; state: string; currentText?: string; headingPath?: (string)[]; line?: number; start?: number; end?: number; overlaps?: (string)[] })[]; total?: number; truncated?: boolean; next?: NextCall; asOf?: string };

/** Check whether a document is published, where, and whether its text has changed since. */
export interface GetPublishStatusArguments {
  /** doc_… */
  documentId: string;
  /** Default: current */
  branch?: string;
}

export type GetPublishStatusAnswer = { documentId: string; title: string; state: string; versionNumber?: number; hasUnpublishedChanges?: boolean; url?: string; publishedAt?: string; versions?: number; pinned?: boolean; newVersion?: boolean; branch: string; hint?: string };

/** Publish a document on the public profile: everyone can read it at the url. */
export interface PublishDocumentArguments {
  /** doc_… */
  documentId: string;
  /** First on the profile, or no longer */
  pinToProfile?: boolean;
  /** Default: current */
  branch?: string;
}

export type PublishDocumentAnswer = { documentId: string; title: string; state: string; versionNumber?: number; hasUnpublishedChanges?: boolean; url?: string; publishedAt?: string; versions?: number; pinned?: boolean; newVersion?: boolean; branch: string; hint?: string };

/** Take a published document back: its public address shows nothing any more. */
export interface UnpublishDocumentArguments {
  /** doc_… */
  documentId: string;
  /** Default: current */
  branch?: string;
}

export type UnpublishDocumentAnswer = { documentId: string; title: string; state: string; versionNumber?: number; hasUnpublishedChanges?: boolean; url?: string; publishedAt?: string; versions?: number; pinned?: boolean; newVersion?: boolean; branch: string; hint?: string };

/** Ask an agent to work on documents in the background; then poll get_agent_status. */
export interface InvokeAgentArguments {
  /** Or agentName */
  agentId?: string;
  /** linker, outliner, duplicates, digest, curator or your own */
  agentName?: string;
  /** The document it is about */
  documentId?: string;
  /** What you want; "at most 5", "only folder Plans" */
  instruction?: string;
  /** The same again: one task */
  idempotencyKey?: string;
  /** Default: current */
  branch?: string;
}

export type InvokeAgentAnswer = { taskId: string; status: string; agentId: string; agentName: string; next?: NextCall };

/** Tell how far an agent's task is: its status, tool calls, output or error. */
export interface GetAgentStatusArguments {
  /** task_… of invoke_agent */
  taskId: string;
}

export type GetAgentStatusAnswer = { taskId: string; status: string; toolCallCount: number; output?: string; error?: string; agentName: string; documentId?: string; branch: string; created?: string; started?: string; ended?: string; hint?: string };

/** Record a choice and why it was made: technology, design, policy. */
export interface SaveDecisionArguments {
  /** Short name of the question, e.g. auth_strategy */
  topic: string;
  /** What was decided */
  decision: string;
  /** Why, and what was rejected */
  reasoning: string;
  /** How sure */
  confidence?: number;
  /** Id it replaces; default: the current one of its topic; "none": nothing */
  supersedes?: string;
  /** Id it carries out */
  implements?: string;
  /** Ties to known ids, e.g. relationship "motivated_by" */
  links?: ({ to_id: string; relationship: string; link_type?: "evolution" | "implementation" | "association" | "temporal"; reason?: string })[];
  /** Who decided */
  type?: "user_decision" | "assistant_insight";
  /** SUCCESS, FAILED or PARTIAL, if already known */
  outcome?: string;
  /** Keep it though it looks like a password or key */
  allow_secrets?: boolean;
  /** Default: current */
  branch?: string;
}

export type SaveDecisionAnswer = { id: string; topic?: string; version: number; branch: string; superseded: (string)[]; unchanged?: boolean; links?: ({ to_id: string; relationship: string; type: string })[]; similar?: ({ id: string; topic?: string })[]; conflict?: (string)[]; hint?: string; success?: boolean; message?: string; recall_command?: string };

/** Record where work stopped, to resume it later with load_checkpoint. */
export interface SaveCheckpointArguments {
  /** What was done, what is open */
  summary: string;
  /** Files in work */
  open_files?: (string)[] | string;
  /** What to do next */
  next_steps?: string | (string)[];
  /** archived: not loaded */
  status?: "active" | "archived";
  /** Keep it though it looks like a password or key */
  allow_secrets?: boolean;
  /** Default: current */
  branch?: string;
}

export type SaveCheckpointAnswer = { id: string; topic?: string; version: number; branch: string; superseded: (string)[]; unchanged?: boolean; links?: ({ to_id: string; relationship: string; type: string })[]; similar?: ({ id: string; topic?: string })[]; conflict?: (string)[]; hint?: string; success?: boolean; message?: string; recall_command?: string };

/** Record a lesson learned or an observation, without a choice in it. */
export interface SaveInsightArguments {
  /** The lesson */
  insight: string;
  /** E.g. performance */
  category?: string;
  /** Labels */
  tags?: (string)[];
  /** Where it comes from */
  source?: string;
  /** Topic it belongs to */
  topic?: string;
  /** Ties to known ids, e.g. relationship "motivated_by" */
  links?: ({ to_id: string; relationship: string; link_type?: "evolution" | "implementation" | "association" | "temporal"; reason?: string })[];
  /** Keep it though it looks like a password or key */
  allow_secrets?: boolean;
  /** Default: current */
  branch?: string;
}

export type SaveInsightAnswer = { id: string; topic?: string; version: number; branch: string; superseded: (string)[]; unchanged?: boolean; links?: ({ to_id: string; relationship: string; type: string })[]; similar?: ({ id: string; topic?: string })[]; conflict?: (string)[]; hint?: string; success?: boolean; message?: string; recall_command?: string };

/** Resume work: the last checkpoint, its next steps, and what changed since. */
export interface LoadCheckpointArguments {
  /** Default: the newest active one */
  id?: string;
  /** Past time: "2h ago", ISO 8601, a version */
  as_of?: string;
  /** Default: current */
  branch?: string;
}

export type LoadCheckpointAnswer = { found: boolean; id?: string; summary?: string; open_files?: (string)[]; next_steps?: string; timestamp?: string; since?: { [key: string]: Json }; without_outcome?: { decisions: number; newest: ({ id: string; topic?: string })[] }; conflicts?: ({ topic: string; ids: (string)[] })[]; status?: string; version?: number; branch: string; as_of?: string; truncated?: boolean; next?: NextCall; success?: boolean; message?: string };

/** Get one known memory whole, with its chain and what it is linked to. */
export interface LoadContextArguments {
  /** Id of any memory */
  id?: string;
  /** Or its topic */
  topic?: string;
  /** Steps along links */
  depth?: number;
  /** Past time: "2h ago", ISO 8601, a version */
  as_of?: string;
  /** Read its texts from this character on */
  offset?: number;
  /** Default: current */
  branch?: string;
}

export type LoadContextAnswer = { memory: { id: string; type: string; topic?: string; content: string; reasoning?: string; confidence?: number; outcome?: string; outcome_reason?: string; limitation?: string; category?: string; tags?: (string)[]; source?: string; next_steps?: string; open_files?: (string)[]; status?: string; decided_by?: string; superseded_by?: (string)[]; timestamp: string; text_truncated?: boolean; score?: number; relationship?: string; via?: string }; chain?: ({ id: string; type: string; topic?: string; content: string; reasoning?: string; confidence?: number; outcome?: string; outcome_reason?: string; limitation?: string; category?: string; tags?: (string)[]; source?: string; next_steps?: string; open_files?: (string)[]; status?: string; decided_by?: string; superseded_by?: (string)[]; timestamp: string; text_truncated?: boolean; score?: number; relationship?: string; via?: string })[]; related?: ({ memory: { id: string; type: string; topic?: string; content: string; reasoning?: string; confidence?: number; outcome?: string; outcome_reason?: string; limitation?: string; category?: string; tags?: (string)[]; source?: string; next_steps?: string; open_files?: (string)[]; status?: string; decided_by?: string; superseded_by?: (string)[]; timestamp: string; text_truncated?: boolean; score?: number; relationship?: string; via?: string }; depth: number; link: { from_id?: string; to_id?: string; type: string; relationship: string; confidence: number; reason?: string } })[]; more_related?: number; conflict?: (string)[]; text?: string; branch: string; as_of?: string; truncated?: boolean; next?: NextCall };

/** See how the decisions on an exact topic evolved, oldest first, with outcomes. */
export interface SearchByTopicArguments {
  /** Short name of the question, e.g. auth_strategy */
  topic: string;
  /** Past time: "2h ago", ISO 8601, a version */
  as_of?: string;
  /** Default: current */
  branch?: string;
}

export type SearchByTopicAnswer = { topic: string; chain: ({ id: string; type: string; topic?: string; content: string; reasoning?: string; confidence?: number; outcome?: string; outcome_reason?: string; limitation?: string; category?: string; tags?: (string)[]; source?: string; next_steps?: string; open_files?: (string)[]; status?: string; decided_by?: string; superseded_by?: (string)[]; timestamp: string; text_truncated?: boolean; score?: number; relationship?: string; via?: string })[]; current: (string)[]; conflict?: boolean; related?: ({ id: string; type: string; topic?: string; content: string; reasoning?: string; confidence?: number; outcome?: string; outcome_reason?: string; limitation?: string; category?: string; tags?: (string)[]; source?: string; next_steps?: string; open_files?: (string)[]; status?: string; decided_by?: string; superseded_by?: (string)[]; timestamp: string; text_truncated?: boolean; score?: number; relationship?: string; via?: string })[]; near_topics?: (string)[]; hint?: string; branch: string; as_of?: string };

/** Find decisions, insights and checkpoints by what they are about. */
export interface SearchByContextArguments {
  /** A question or keywords, any language */
  query: string;
  /** Most results */
  limit?: number;
  /** Only these types */
  types?: ("decision" | "checkpoint" | "insight" | "context")[];
  /** Of decisions */
  min_confidence?: number;
  /** Past time: "2h ago", ISO 8601, a version */
  as_of?: string;
  /** Default: current */
  branch?: string;
}

export type SearchByContextAnswer = { results: ({ id: string; type: string; topic?: string; content: string; reasoning?: string; confidence?: number; outcome?: string; outcome_reason?: string; limitation?: string; category?: string; tags?: (string)[]; source?: string; next_steps?: string; open_files?: (string)[]; status?: string; decided_by?: string; superseded_by?: (string)[]; timestamp: string; text_truncated?: boolean; score?: number; relationship?: string; via?: string })[]; branch: string; as_of?: string };

/** List what was saved last, newest first. */
export interface SearchRecentArguments {
  /** Most results */
  limit?: number;
  /** Only these types */
  types?: ("decision" | "checkpoint" | "insight" | "context")[];
  /** Not older than this time */
  since?: string;
  /** Past time: "2h ago", ISO 8601, a version */
  as_of?: string;
  /** Results to skip */
  offset?: number;
  /** Default: current */
  branch?: string;
}

export type SearchRecentAnswer = { results: ({ id: string; type: string; topic?: string; content: string; reasoning?: string; confidence?: number; outcome?: string; outcome_reason?: string; limitation?: string; category?: string; tags?: (string)[]; source?: string; next_steps?: string; open_files?: (string)[]; status?: string; decided_by?: string; superseded_by?: (string)[]; timestamp: string; text_truncated?: boolean; score?: number; relationship?: string; via?: string })[]; branch: string; as_of?: string; truncated?: boolean; next?: NextCall };

/** Record how a decision turned out: it worked, failed, or worked in part. */
export interface EvolveOutcomeArguments {
  /** SUCCESS, FAILED or PARTIAL */
  outcome: string;
  /** Id of the decision */
  id?: string;
  /** Or its topic */
  topic?: string;
  /** Why; needed for FAILED */
  reason?: string;
  /** What it does not do */
  limitation?: string;
  /** Keep it though it looks like a password or key */
  allow_secrets?: boolean;
  /** Default: current */
  branch?: string;
}

export type EvolveOutcomeAnswer = { id: string; version: number; branch: string; outcome: string; insight: string; topic?: string; unchanged?: boolean; hint?: string };

/** Replace an existing decision by a new one; the old one stays in the chain. */
export interface EvolveSupersedeArguments {
  /** What is decided now */
  decision: string;
  /** Why it changed */
  reasoning: string;
  /** Id of the decision */
  id?: string;
  /** Or its topic */
  topic?: string;
  /** How sure */
  confidence?: number;
  /** Keep it though it looks like a password or key */
  allow_secrets?: boolean;
  /** Default: current */
  branch?: string;
}

export type EvolveSupersedeAnswer = { id: string; topic?: string; version: number; branch: string; superseded: (string)[]; unchanged?: boolean; links?: ({ to_id: string; relationship: string; type: string })[]; similar?: ({ id: string; topic?: string })[]; conflict?: (string)[]; hint?: string; success?: boolean; message?: string; recall_command?: string };

/** Check that Strata answers. */
export interface StrataDbPingArguments {
}

export type StrataDbPingAnswer = { pong: boolean; version: string };

/** Describe the store. */
export interface StrataDbInfoArguments {
  /** Default: current */
  branch?: string;
}

export type StrataDbInfoAnswer = { version: string; uptime_secs: number; branch_count: number; total_keys: number };

/** Force everything written so far to the disk. */
export interface StrataDbFlushArguments {
}

export type StrataDbFlushAnswer = { result: null };

/** Give unused space of the file back to the disk. */
export interface StrataDbCompactArguments {
}

export type StrataDbCompactAnswer = { result: null };

/** Read between which times the current branch has a history. */
export interface StrataDbTimeRangeArguments {
  /** Default: current */
  branch?: string;
}

export type StrataDbTimeRangeAnswer = { oldest_ts: number | null; latest_ts: number | null };

/** Keep a value under a key. */
export interface StrataKvPutArguments {
  /** Key, up to 1,024 bytes */
  key: string;
  /** Any JSON value */
  value: Json;
  /** Default: current */
  branch?: string;
  /** Default: current */
  space?: string;
}

export type StrataKvPutAnswer = { version: number };

/** Read the value of a key. */
export interface StrataKvGetArguments {
  /** Key, up to 1,024 bytes */
  key: string;
  /** Answer as of then: a version, microseconds since 1970, ISO 8601, a date, or words such as "1h ago", "yesterday", "어제" */
  as_of?: string | number;
  /** Default: current */
  branch?: string;
  /** Default: current */
  space?: string;
}

export type StrataKvGetAnswer = { value?: Json; version?: number; timestamp?: number; result?: null };

/** Delete a key; answer whether it existed. */
export interface StrataKvDeleteArguments {
  /** Key, up to 1,024 bytes */
  key: string;
  /** Default: current */
  branch?: string;
  /** Default: current */
  space?: string;
}

export type StrataKvDeleteAnswer = { result: boolean };

/** List keys in order. */
export interface StrataKvListArguments {
  /** Only keys that begin so */
  prefix?: string;
  /** Go on behind this: the `cursor` of the page before */
  cursor?: string;
  /** Keys at most */
  limit?: number;
  /** Answer as of then: a version, microseconds since 1970, ISO 8601, a date, or words such as "1h ago", "yesterday", "어제" */
  as_of?: string | number;
  /** Default: current */
  branch?: string;
  /** Default: current */
  space?: string;
}

export type StrataKvListAnswer = { keys: (string)[]; cursor?: string; truncated?: boolean; next?: NextCall };

/** List every value a key held, newest first. */
export interface StrataKvHistoryArguments {
  /** Key, up to 1,024 bytes */
  key: string;
  /** Answer as of then: a version, microseconds since 1970, ISO 8601, a date, or words such as "1h ago", "yesterday", "어제" */
  as_of?: string | number;
  /** Default: current */
  branch?: string;
  /** Default: current */
  space?: string;
}

export type StrataKvHistoryAnswer = { versions?: ({ value: Json; version: number; timestamp: number; state?: string })[]; truncated?: boolean; next?: NextCall };

/** Keep several values in one atomic commit. */
export interface StrataKvPutManyArguments {
  /** Keys with their values */
  items: ({ key: string; value: Json })[];
  /** Default: current */
  branch?: string;
  /** Default: current */
  space?: string;
}

export type StrataKvPutManyAnswer = { results: ({ version: number })[] };

/** Read several keys at one state of the store. */
export interface StrataKvGetManyArguments {
  /** Keys to read */
  keys: (string)[];
  /** Default: current */
  branch?: string;
  /** Default: current */
  space?: string;
}

export type StrataKvGetManyAnswer = { results: ({ value: Json; version: number; timestamp: number } | null)[]; truncated?: boolean; next?: NextCall };

/** Delete several keys in one atomic commit. */
export interface StrataKvDeleteManyArguments {
  /** Keys to delete */
  keys: (string)[];
  /** Default: current */
  branch?: string;
  /** Default: current */
  space?: string;
}

export type StrataKvDeleteManyAnswer = { results: (boolean)[] };

/** Write a cell whatever it holds. */
export interface StrataStateSetArguments {
  /** Name of the cell */
  cell: string;
  /** Any JSON value */
  value: Json;
  /** Default: current */
  branch?: string;
  /** Default: current */
  space?: string;
}

export type StrataStateSetAnswer = { version: number; counter: number };

/** Read a cell with its counter. */
export interface StrataStateGetArguments {
  /** Name of the cell */
  cell: string;
  /** Answer as of then: a version, microseconds since 1970, ISO 8601, a date, or words such as "1h ago", "yesterday", "어제" */
  as_of?: string | number;
  /** Default: current */
  branch?: string;
  /** Default: current */
  space?: string;
}

export type StrataStateGetAnswer = { value?: Json; version?: number; timestamp?: number; counter?: number; state?: string; result?: null };

/** Delete a cell; answer whether it existed. */
export interface StrataStateDeleteArguments {
  /** Name of the cell */
  cell: string;
  /** Default: current */
  branch?: string;
  /** Default: current */
  space?: string;
}

export type StrataStateDeleteAnswer = { result: boolean };

/** Write a cell only if it is absent. */
export interface StrataStateInitArguments {
  /** Name of the cell */
  cell: string;
  /** Any JSON value */
  value: Json;
  /** Default: current */
  branch?: string;
  /** Default: current */
  space?: string;
}

export type StrataStateInitAnswer = { version: number; counter: number };

/** Write a cell only if its counter is still what you read. */
export interface StrataStateCasArguments {
  /** Name of the cell */
  cell: string;
  /** Any JSON value */
  value: Json;
  /** The `counter` you read; left out: the cell must be absent */
  expected_counter?: number;
  /** Default: current */
  branch?: string;
  /** Default: current */
  space?: string;
}

export type StrataStateCasAnswer = { result: number | null; counter?: number };

/** List the names of cells in order. */
export interface StrataStateListArguments {
  /** Only cells whose names begin so */
  prefix?: string;
  /** Answer as of then: a version, microseconds since 1970, ISO 8601, a date, or words such as "1h ago", "yesterday", "어제" */
  as_of?: string | number;
  /** Default: current */
  branch?: string;
  /** Default: current */
  space?: string;
}

export type StrataStateListAnswer = { keys: (string)[] };

/** List what a cell held, newest first. */
export interface StrataStateHistoryArguments {
  /** Name of the cell */
  cell: string;
  /** Answer as of then: a version, microseconds since 1970, ISO 8601, a date, or words such as "1h ago", "yesterday", "어제" */
  as_of?: string | number;
  /** Default: current */
  branch?: string;
  /** Default: current */
  space?: string;
}

export type StrataStateHistoryAnswer = { versions?: ({ value: Json; version: number; timestamp: number; counter: number; state?: string })[]; truncated?: boolean; next?: NextCall };

/** Append an event to the log. */
export interface StrataEventAppendArguments {
  /** What kind of thing happened */
  event_type: string;
  /** Details; must be an object */
  payload: Json;
  /** When it happened, if not now */
  time?: string | number;
  /** Default: current */
  branch?: string;
  /** Default: current */
  space?: string;
}

export type StrataEventAppendAnswer = { version: number; store_version: number };

/** Read one event by its sequence number. */
export interface StrataEventGetArguments {
  /** Number of the event in its log */
  sequence: number;
  /** Answer as of then: a version, microseconds since 1970, ISO 8601, a date, or words such as "1h ago", "yesterday", "어제" */
  as_of?: string | number;
  /** Default: current */
  branch?: string;
  /** Default: current */
  space?: string;
}

export type StrataEventGetAnswer = { value?: Json; version?: number; timestamp?: number; event_type?: string; store_version?: number; recorded_at?: number | null; result?: null };

/** List the events of one type, oldest first. */
export interface StrataEventListArguments {
  /** Only events of this type */
  event_type: string;
  /** Events at most */
  limit?: number;
  /** Only events behind this number */
  after_sequence?: number;
  /** Happened at or after */
  since?: string | number;
  /** Happened at or before */
  until?: string | number;
  /** Answer as of then: a version, microseconds since 1970, ISO 8601, a date, or words such as "1h ago", "yesterday", "어제" */
  as_of?: string | number;
  /** Default: current */
  branch?: string;
  /** Default: current */
  space?: string;
}

export type StrataEventListAnswer = { events: ({ value: Json; version: number; timestamp: number; event_type: string; store_version: number; recorded_at?: number | null })[]; truncated?: boolean; next?: NextCall };

/** Count the events of the log. */
export interface StrataEventLenArguments {
  /** Default: current */
  branch?: string;
  /** Default: current */
  space?: string;
}

export type StrataEventLenAnswer = { result: number };

/** Set a value at a path of a document. */
export interface StrataJsonSetArguments {
  /** Key of the document */
  key: string;
  /** Where in the document: "$" is all of it, "$.a.b[0]" a part */
  path: string;
  /** Any JSON value */
  value: Json;
  /** Default: current */
  branch?: string;
  /** Default: current */
  space?: string;
}

export type StrataJsonSetAnswer = { version: number };

/** Read a document, or the part of it at a path. */
export interface StrataJsonGetArguments {
  /** Key of the document */
  key: string;
  /** Where in the document: "$" is all of it, "$.a.b[0]" a part */
  path: string;
  /** Answer as of then: a version, microseconds since 1970, ISO 8601, a date, or words such as "1h ago", "yesterday", "어제" */
  as_of?: string | number;
  /** Default: current */
  branch?: string;
  /** Default: current */
  space?: string;
}

export type StrataJsonGetAnswer = { value?: Json; version?: number; timestamp?: number; result?: null };

/** Delete a document, or the part of it at a path. */
export interface StrataJsonDeleteArguments {
  /** Key of the document */
  key: string;
  /** Where in the document: "$" is all of it, "$.a.b[0]" a part */
  path: string;
  /** Default: current */
  branch?: string;
  /** Default: current */
  space?: string;
}

export type StrataJsonDeleteAnswer = { result: number };

/** List the keys of documents in order. */
export interface StrataJsonListArguments {
  /** Only keys that begin so */
  prefix?: string;
  /** Go on behind this: the `cursor` of the page before */
  cursor?: string;
  /** Keys at most */
  limit?: number;
  /** Answer as of then: a version, microseconds since 1970, ISO 8601, a date, or words such as "1h ago", "yesterday", "어제" */
  as_of?: string | number;
  /** Default: current */
  branch?: string;
  /** Default: current */
  space?: string;
}

export type StrataJsonListAnswer = { keys: (string)[]; cursor?: string; truncated?: boolean; next?: NextCall };

/** List every state of a document, newest first. */
export interface StrataJsonHistoryArguments {
  /** Key of the document */
  key: string;
  /** Answer as of then: a version, microseconds since 1970, ISO 8601, a date, or words such as "1h ago", "yesterday", "어제" */
  as_of?: string | number;
  /** Default: current */
  branch?: string;
  /** Default: current */
  space?: string;
}

export type StrataJsonHistoryAnswer = { versions?: ({ value: Json; version: number; timestamp: number; state?: string })[]; truncated?: boolean; next?: NextCall };

/** List the spaces of the branch. */
export interface StrataSpaceListArguments {
  /** Default: current */
  branch?: string;
}

export type StrataSpaceListAnswer = { results: (string)[] };

/** Make an empty space. */
export interface StrataSpaceCreateArguments {
  /** Name of the space */
  space: string;
  /** Default: current */
  branch?: string;
}

export type StrataSpaceCreateAnswer = { result: null };

/** Tell whether a space exists. */
export interface StrataSpaceExistsArguments {
  /** Name of the space */
  space: string;
  /** Default: current */
  branch?: string;
}

export type StrataSpaceExistsAnswer = { result: boolean };

/** Delete a space. */
export interface StrataSpaceDeleteArguments {
  /** Name of the space */
  space: string;
  /** Delete it with everything in it */
  force?: boolean;
  /** Default: current */
  branch?: string;
}

export type StrataSpaceDeleteAnswer = { result: null };

/** Use another space in later calls of this session. */
export interface StrataSpaceSwitchArguments {
  /** Name of the space */
  space: string;
}

export type StrataSpaceSwitchAnswer = { switched: boolean; space: string };

/** Make an empty branch. */
export interface StrataBranchCreateArguments {
  /** Its name; left out, a readable one is made up */
  branch_id?: string;
  /** Anything to keep with the branch */
  metadata?: Json;
}

export type StrataBranchCreateAnswer = { id: string; status: string; created_at: number; updated_at: number; parent_id: string | null; version: number; metadata?: Json };

/** Read what is known of a branch. */
export interface StrataBranchGetArguments {
  /** Name of the branch */
  branch: string;
}

export type StrataBranchGetAnswer = { id?: string; status?: string; created_at?: number; updated_at?: number; parent_id?: string | null; version?: number; metadata?: Json; result?: null };

/** List branches by name. */
export interface StrataBranchListArguments {
  /** Branches at most */
  limit?: number;
  /** Leave out so many of the first */
  offset?: number;
}

export type StrataBranchListAnswer = { branches: ({ id: string; status: string; created_at: number; updated_at: number; parent_id: string | null; version: number; metadata?: Json })[]; truncated?: boolean; next?: NextCall };

/** Tell whether a branch exists. */
export interface StrataBranchExistsArguments {
  /** Name of the branch */
  branch: string;
}

export type StrataBranchExistsAnswer = { result: boolean };

/** Delete a branch, merged or not. */
export interface StrataBranchDeleteArguments {
  /** Name of the branch */
  branch: string;
}

export type StrataBranchDeleteAnswer = { result: null };

/** Make a branch that starts from the current one as it is. */
export interface StrataBranchForkArguments {
  /** Name of the new branch */
  destination: string;
  /** Default: current */
  branch?: string;
}

export type StrataBranchForkAnswer = { source: string; destination: string; keys_copied: number };

/** Show what branch_b changed since it parted from branch_a. */
export interface StrataBranchDiffArguments {
  /** Compare with this branch */
  branch_a: string;
  /** the changes of this one */
  branch_b: string;
  /** Show all that turns branch_a into branch_b instead */
  two_sided?: boolean;
  /** Only changes of this space; left out, of all */
  space?: string;
}

export type StrataBranchDiffAnswer = { branch_a: string; branch_b: string; summary: { total_added: number; total_removed: number; total_modified: number }; spaces: ({ space: string; added: ({ key: string; primitive: string; space: string; value_a: Json; value_b: Json; event_type?: string | null })[]; removed: ({ key: string; primitive: string; space: string; value_a: Json; value_b: Json; event_type?: string | null })[]; modified: ({ key: string; primitive: string; space: string; value_a: Json; value_b: Json; event_type?: string | null })[] })[] };

/** Merge a branch into the current one. */
export interface StrataBranchMergeArguments {
  /** Branch whose changes to take over */
  source: string;
  /** Where both changed something: take the source's value, or refuse and list the conflicts */
  strategy?: "last_writer_wins" | "strict";
  /** Default: current */
  branch?: string;
}

export type StrataBranchMergeAnswer = { keys_applied: number; spaces_merged: number; conflicts: ({ key: string; primitive: string; space: string; source_value: Json; target_value: Json })[]; suggestions: ({ [key: string]: Json })[] };

/** Use another branch in later calls of this session. */
export interface StrataBranchSwitchArguments {
  /** Name of the branch */
  branch: string;
}

export type StrataBranchSwitchAnswer = { switched: boolean; branch: string };

/** Keep a vector under a key, replacing what is there. */
export interface StrataVectorUpsertArguments {
  /** Name of the collection */
  collection: string;
  /** Key of the vector in its collection */
  key: string;
  /** Numbers, as many as the collection's dimension */
  vector: (number)[];
  /** Anything to filter by, an object as a rule */
  metadata?: Json;
  /** Default: current */
  branch?: string;
  /** Default: current */
  space?: string;
}

export type StrataVectorUpsertAnswer = { version: number };

/** Read a vector by its key. */
export interface StrataVectorGetArguments {
  /** Name of the collection */
  collection: string;
  /** Key of the vector in its collection */
  key: string;
  /** Answer as of then: a version, microseconds since 1970, ISO 8601, a date, or words such as "1h ago", "yesterday", "어제" */
  as_of?: string | number;
  /** Default: current */
  branch?: string;
  /** Default: current */
  space?: string;
}

export type StrataVectorGetAnswer = { key?: string; embedding?: (number)[]; metadata?: Json; version?: number; timestamp?: number; result?: null };

/** Delete a vector; answer whether it existed. */
export interface StrataVectorDeleteArguments {
  /** Name of the collection */
  collection: string;
  /** Key of the vector in its collection */
  key: string;
  /** Default: current */
  branch?: string;
  /** Default: current */
  space?: string;
}

export type StrataVectorDeleteAnswer = { result: boolean };

/** Find the nearest vectors of a collection, exactly. */
export interface StrataVectorSearchArguments {
  /** Name of the collection */
  collection: string;
  /** Numbers, as many as the collection's dimension */
  query: (number)[];
  /** Results at most */
  k: number;
  /** All of these must hold */
  filter?: ({ field: string; value: Json; op?: "eq" | "ne" | "gt" | "gte" | "lt" | "lte" | "in" | "contains" })[];
  /** Measure; left out, the collection's own */
  metric?: "cosine" | "euclidean" | "dot_product";
  /** Answer as of then: a version, microseconds since 1970, ISO 8601, a date, or words such as "1h ago", "yesterday", "어제" */
  as_of?: string | number;
  /** Default: current */
  branch?: string;
  /** Default: current */
  space?: string;
}

export type StrataVectorSearchAnswer = { results: ({ key: string; score: number; metadata: Json })[] };

/** Make a collection of vectors. */
export interface StrataVectorCreateCollectionArguments {
  /** Name of the collection */
  collection: string;
  /** Numbers in each vector */
  dimension: number;
  /** Measure of nearness */
  metric?: "cosine" | "euclidean" | "dot_product";
  /** Default: current */
  branch?: string;
  /** Default: current */
  space?: string;
}

export type StrataVectorCreateCollectionAnswer = { version: number };

/** Delete a collection with its vectors; answer whether it existed. */
export interface StrataVectorDeleteCollectionArguments {
  /** Name of the collection */
  collection: string;
  /** Default: current */
  branch?: string;
  /** Default: current */
  space?: string;
}

export type StrataVectorDeleteCollectionAnswer = { result: boolean };

/** List the collections of vectors. */
export interface StrataVectorListCollectionsArguments {
  /** Default: current */
  branch?: string;
  /** Default: current */
  space?: string;
}

export type StrataVectorListCollectionsAnswer = { results: ({ name: string; dimension: number; metric: string; count: number; index_type: string; memory_bytes: number })[] };

/** Describe one collection. */
export interface StrataVectorStatsArguments {
  /** Name of the collection */
  collection: string;
  /** Default: current */
  branch?: string;
  /** Default: current */
  space?: string;
}

export type StrataVectorStatsAnswer = { name: string; dimension: number; metric: string; count: number; index_type: string; memory_bytes: number };

/** Keep several vectors in one atomic commit. */
export interface StrataVectorBatchUpsertArguments {
  /** Name of the collection */
  collection: string;
  /** Vectors to keep */
  entries: ({ key: string; vector: (number)[]; metadata?: Json })[];
  /** Default: current */
  branch?: string;
  /** Default: current */
  space?: string;
}

export type StrataVectorBatchUpsertAnswer = { versions: (number)[] };

/** Begin a transaction for this session. */
export interface StrataTxnBeginArguments {
  /** Only read, from one unmoving state */
  read_only?: boolean;
  /** Default: current */
  branch?: string;
}

export type StrataTxnBeginAnswer = { status: "begun" };

/** Commit the open transaction. */
export interface StrataTxnCommitArguments {
}

export type StrataTxnCommitAnswer = { status: "committed"; version: number | null };

/** Drop the open transaction. */
export interface StrataTxnRollbackArguments {
}

export type StrataTxnRollbackAnswer = { status: "aborted" };

/** Describe the open transaction. */
export interface StrataTxnInfoArguments {
}

export type StrataTxnInfoAnswer = { id?: string; status?: string; started_at?: number; result?: null };

/** Tell whether a transaction is open. */
export interface StrataTxnActiveArguments {
}

export type StrataTxnActiveAnswer = { result: boolean };

/** Write a branch with its whole history to a file. */
export interface StrataBundleExportArguments {
  /** Branch to export */
  branch: string;
  /** File name in the folder `bundles` beside the store */
  path: string;
  /** Replace a file that exists */
  force?: boolean;
}

export type StrataBundleExportAnswer = { branch_id: string; path: string; entry_count: number; bundle_size: number };

/** Take a bundle in as a branch, with its times and hashes. */
export interface StrataBundleImportArguments {
  /** File name in the folder `bundles` beside the store */
  path: string;
  /** Name for the branch; left out, its own */
  name?: string;
}

export type StrataBundleImportAnswer = { branch_id: string; transactions_applied: number; keys_written: number; outcome: string; note?: string | null };

/** Check a bundle without taking anything in. */
export interface StrataBundleValidateArguments {
  /** File name in the folder `bundles` beside the store */
  path: string;
}

export type StrataBundleValidateAnswer = { branch_id: string; format_version: number; entry_count: number; checksums_valid: boolean };

/** Drop old values that the retention policy no longer keeps. */
export interface StrataRetentionApplyArguments {
}

export type StrataRetentionApplyAnswer = { result: null };

/** Name the language model for query expansion, reranking and strata_generate. */
export interface StrataConfigureModelArguments {
  /** URL of an OpenAI-compatible server, up to /v1 */
  endpoint: string;
  /** Name of a model that it has */
  model: string;
  /** Its key; kept in this process only, never stored */
  api_key?: string;
  /** How long to wait for an answer; 60000 when left out */
  timeout_ms?: number;
}

export type StrataConfigureModelAnswer = { status: "ok" };

/** Turn a text into the vector of the embedding model in use. */
export interface StrataEmbedArguments {
  /** Text in any language */
  text: string;
}

export type StrataEmbedAnswer = { result: (number)[] };

/** Turn several texts into vectors. */
export interface StrataEmbedBatchArguments {
  /** Texts */
  texts: (string)[];
}

export type StrataEmbedBatchAnswer = { results: ((number)[])[] };

/** See how far the vectors behind search by meaning are. */
export interface StrataEmbedStatusArguments {
}

export type StrataEmbedStatusAnswer = { auto_embed: boolean; batch_size: number; pending: number; total_queued: number; total_embedded: number; total_failed: number; scheduler_queue_depth: number; scheduler_active_tasks: number; is_idle: boolean };

/** Let a language model write. */
export interface StrataGenerateArguments {
  /** Name of the model */
  model: string;
  /** What to answer */
  prompt: string;
  /** End after so many tokens */
  max_tokens?: number;
  /** 0: always the likeliest word */
  temperature?: number;
  /** Choose among so many words; not every server knows it */
  top_k?: number;
  /** Choose among words of this share */
  top_p?: number;
  /** The same seed gives the same answer where the server can */
  seed?: number;
  /** End at any of these tokens; not every server knows it */
  stop_tokens?: (number)[];
}

export type StrataGenerateAnswer = { text: string; stop_reason: string; prompt_tokens: number | null; completion_tokens: number | null; model: string };

/** Cut a text into the tokens of a model. */
export interface StrataTokenizeArguments {
  /** A model with a tokenizer here: minilm, multilingual, or LIBRARY:MODEL */
  model: string;
  /** Text to cut up */
  text: string;
  /** With the model's marks of beginning and end */
  add_special_tokens?: boolean;
}

export type StrataTokenizeAnswer = { ids: (number)[]; count: number; model: string };

/** Turn tokens of a model back into text. */
export interface StrataDetokenizeArguments {
  /** A model with a tokenizer here: minilm, multilingual, or LIBRARY:MODEL */
  model: string;
  /** Numbers of tokens */
  ids: (number)[];
}

export type StrataDetokenizeAnswer = { text: string };

/** Give back the memory that a model takes in this process. */
export interface StrataGenerateUnloadArguments {
  /** Name of the model */
  model: string;
}

export type StrataGenerateUnloadAnswer = { result: boolean };

/** List the models that can be used. */
export interface StrataModelsListArguments {
}

export type StrataModelsListAnswer = { results: ({ name: string; task: string; architecture: string | null; default_quant: string | null; embedding_dim: number | null; is_local: boolean; size_bytes: number | null })[] };

/** Get a model onto this disk. */
export interface StrataModelsPullArguments {
  /** minilm, multilingual, or LIBRARY:MODEL */
  name: string;
}

export type StrataModelsPullAnswer = { name: string; path: string };

/** List the models that lie on this disk. */
export interface StrataModelsLocalArguments {
}

export type StrataModelsLocalAnswer = { results: ({ name: string; task: string; architecture: string | null; default_quant: string | null; embedding_dim: number | null; is_local: boolean; size_bytes: number | null })[] };

/** Count what this process has written since it opened the store. */
export interface StrataDurabilityCountersArguments {
}

export type StrataDurabilityCountersAnswer = { wal_appends: number; sync_calls: number; bytes_written: number; sync_nanos: number };

/** Find the right one of the 74 developer tools. */
export interface StrataToolsSearchArguments {
  /** What you want to do, or part of a tool's name */
  query?: string;
  /** Only this category: database, kv, state, event, json, space, branch, vector, txn, search, bundle, retention, config, embed, inference, models, durability */
  category?: string;
  /** Tools at most */
  limit?: number;
}

export type StrataToolsSearchAnswer = { results: ({ name: string; category: string; summary: string; parameters: string })[] };

/** Describe one of the 74 developer tools. */
export interface StrataToolsDescribeArguments {
  /** Name of the tool */
  name: string;
}

export type StrataToolsDescribeAnswer = { name: string; category: string; description: string; reads_only: boolean; input_schema: { [key: string]: Json }; output_schema: { [key: string]: Json }; example: { [key: string]: Json } };

/** Call one of the 74 developer tools. */
export interface StrataToolsCallArguments {
  /** Name of the tool */
  name: string;
  /** Its arguments, as strata_tools_describe says */
  arguments?: { [key: string]: Json };
}

export type StrataToolsCallAnswer = { result: { [key: string]: Json } };

/** Show the history of the decisions on a topic. */
export interface RecallDecisionArguments {
  /** Topic of the decisions */
  topic: string;
  /** Default: current */
  branch?: string;
}

export type RecallDecisionAnswer = { success: boolean; history: string; message: string; deprecated?: string };

/** Suggest past decisions that bear on a question. */
export interface SuggestDecisionArguments {
  /** What is asked */
  userQuestion: string;
  /** Weight of recency */
  recencyWeight?: number;
  /** Days of the decay */
  recencyScale?: number;
  /** What is left after them */
  recencyDecay?: number;
  /** Go by relevance alone */
  disableRecency?: boolean;
  /** Default: current */
  branch?: string;
}

export type SuggestDecisionAnswer = { success: boolean; suggestions?: string; message: string; deprecated?: string };

/** List the newest decisions. */
export interface ListDecisionsArguments {
  /** Most decisions */
  limit?: number;
  /** Default: current */
  branch?: string;
}

export type ListDecisionsAnswer = { success: boolean; list: string; message: string; deprecated?: string };

/** Record how a decision turned out. */
export interface UpdateOutcomeArguments {
  /** Id of the decision */
  decisionId?: string;
  /** Or its topic */
  topic?: string;
  /** SUCCESS, FAILED or PARTIAL */
  outcome: string;
  /** Why; needed for FAILED */
  failureReason?: string;
  /** What it does not do */
  limitation?: string;
  /** Default: current */
  branch?: string;
}

export type UpdateOutcomeAnswer = { success: boolean; decision_id: string; outcome: string; message: string; deprecated?: string };

/** Every tool by its name. */
export interface Tools {
  strata_store: { arguments: StrataStoreArguments; answer: StrataStoreAnswer };
  strata_recall: { arguments: StrataRecallArguments; answer: StrataRecallAnswer };
  strata_search: { arguments: StrataSearchArguments; answer: StrataSearchAnswer };
  strata_forget: { arguments: StrataForgetArguments; answer: StrataForgetAnswer };
  strata_log: { arguments: StrataLogArguments; answer: StrataLogAnswer };
  strata_branch: { arguments: StrataBranchArguments; answer: StrataBranchAnswer };
  strata_history: { arguments: StrataHistoryArguments; answer: StrataHistoryAnswer };
  strata_status: { arguments: StrataStatusArguments; answer: StrataStatusAnswer };
  find: { arguments: FindArguments; answer: FindAnswer };
  read_document: { arguments: ReadDocumentArguments; answer: ReadDocumentAnswer };
  edit_document: { arguments: EditDocumentArguments; answer: EditDocumentAnswer };
  get_document_graph: { arguments: GetDocumentGraphArguments; answer: GetDocumentGraphAnswer };
  get_image: { arguments: GetImageArguments; answer: GetImageAnswer };
  app_get_section_content: { arguments: AppGetSectionContentArguments; answer: AppGetSectionContentAnswer };
  get_presence: { arguments: GetPresenceArguments; answer: GetPresenceAnswer };
  manage_comments: { arguments: ManageCommentsArguments; answer: ManageCommentsAnswer };
  manage_suggestions: { arguments: ManageSuggestionsArguments; answer: ManageSuggestionsAnswer };
  get_publish_status: { arguments: GetPublishStatusArguments; answer: GetPublishStatusAnswer };
  publish_document: { arguments: PublishDocumentArguments; answer: PublishDocumentAnswer };
  unpublish_document: { arguments: UnpublishDocumentArguments; answer: UnpublishDocumentAnswer };
  invoke_agent: { arguments: InvokeAgentArguments; answer: InvokeAgentAnswer };
  get_agent_status: { arguments: GetAgentStatusArguments; answer: GetAgentStatusAnswer };
  save_decision: { arguments: SaveDecisionArguments; answer: SaveDecisionAnswer };
  save_checkpoint: { arguments: SaveCheckpointArguments; answer: SaveCheckpointAnswer };
  save_insight: { arguments: SaveInsightArguments; answer: SaveInsightAnswer };
  load_checkpoint: { arguments: LoadCheckpointArguments; answer: LoadCheckpointAnswer };
  load_context: { arguments: LoadContextArguments; answer: LoadContextAnswer };
  search_by_topic: { arguments: SearchByTopicArguments; answer: SearchByTopicAnswer };
  search_by_context: { arguments: SearchByContextArguments; answer: SearchByContextAnswer };
  search_recent: { arguments: SearchRecentArguments; answer: SearchRecentAnswer };
  evolve_outcome: { arguments: EvolveOutcomeArguments; answer: EvolveOutcomeAnswer };
  evolve_supersede: { arguments: EvolveSupersedeArguments; answer: EvolveSupersedeAnswer };
  strata_db_ping: { arguments: StrataDbPingArguments; answer: StrataDbPingAnswer };
  strata_db_info: { arguments: StrataDbInfoArguments; answer: StrataDbInfoAnswer };
  strata_db_flush: { arguments: StrataDbFlushArguments; answer: StrataDbFlushAnswer };
  strata_db_compact: { arguments: StrataDbCompactArguments; answer: StrataDbCompactAnswer };
  strata_db_time_range: { arguments: StrataDbTimeRangeArguments; answer: StrataDbTimeRangeAnswer };
  strata_kv_put: { arguments: StrataKvPutArguments; answer: StrataKvPutAnswer };
  strata_kv_get: { arguments: StrataKvGetArguments; answer: StrataKvGetAnswer };
  strata_kv_delete: { arguments: StrataKvDeleteArguments; answer: StrataKvDeleteAnswer };
  strata_kv_list: { arguments: StrataKvListArguments; answer: StrataKvListAnswer };
  strata_kv_history: { arguments: StrataKvHistoryArguments; answer: StrataKvHistoryAnswer };
  strata_kv_put_many: { arguments: StrataKvPutManyArguments; answer: StrataKvPutManyAnswer };
  strata_kv_get_many: { arguments: StrataKvGetManyArguments; answer: StrataKvGetManyAnswer };
  strata_kv_delete_many: { arguments: StrataKvDeleteManyArguments; answer: StrataKvDeleteManyAnswer };
  strata_state_set: { arguments: StrataStateSetArguments; answer: StrataStateSetAnswer };
  strata_state_get: { arguments: StrataStateGetArguments; answer: StrataStateGetAnswer };
  strata_state_delete: { arguments: StrataStateDeleteArguments; answer: StrataStateDeleteAnswer };
  strata_state_init: { arguments: StrataStateInitArguments; answer: StrataStateInitAnswer };
  strata_state_cas: { arguments: StrataStateCasArguments; answer: StrataStateCasAnswer };
  strata_state_list: { arguments: StrataStateListArguments; answer: StrataStateListAnswer };
  strata_state_history: { arguments: StrataStateHistoryArguments; answer: StrataStateHistoryAnswer };
  strata_event_append: { arguments: StrataEventAppendArguments; answer: StrataEventAppendAnswer };
  strata_event_get: { arguments: StrataEventGetArguments; answer: StrataEventGetAnswer };
  strata_event_list: { arguments: StrataEventListArguments; answer: StrataEventListAnswer };
  strata_event_len: { arguments: StrataEventLenArguments; answer: StrataEventLenAnswer };
  strata_json_set: { arguments: StrataJsonSetArguments; answer: StrataJsonSetAnswer };
  strata_json_get: { arguments: StrataJsonGetArguments; answer: StrataJsonGetAnswer };
  strata_json_delete: { arguments: StrataJsonDeleteArguments; answer: StrataJsonDeleteAnswer };
  strata_json_list: { arguments: StrataJsonListArguments; answer: StrataJsonListAnswer };
  strata_json_history: { arguments: StrataJsonHistoryArguments; answer: StrataJsonHistoryAnswer };
  strata_space_list: { arguments: StrataSpaceListArguments; answer: StrataSpaceListAnswer };
  strata_space_create: { arguments: StrataSpaceCreateArguments; answer: StrataSpaceCreateAnswer };
  strata_space_exists: { arguments: StrataSpaceExistsArguments; answer: StrataSpaceExistsAnswer };
  strata_space_delete: { arguments: StrataSpaceDeleteArguments; answer: StrataSpaceDeleteAnswer };
  strata_space_switch: { arguments: StrataSpaceSwitchArguments; answer: StrataSpaceSwitchAnswer };
  strata_branch_create: { arguments: StrataBranchCreateArguments; answer: StrataBranchCreateAnswer };
  strata_branch_get: { arguments: StrataBranchGetArguments; answer: StrataBranchGetAnswer };
  strata_branch_list: { arguments: StrataBranchListArguments; answer: StrataBranchListAnswer };
  strata_branch_exists: { arguments: StrataBranchExistsArguments; answer: StrataBranchExistsAnswer };
  strata_branch_delete: { arguments: StrataBranchDeleteArguments; answer: StrataBranchDeleteAnswer };
  strata_branch_fork: { arguments: StrataBranchForkArguments; answer: StrataBranchForkAnswer };
  strata_branch_diff: { arguments: StrataBranchDiffArguments; answer: StrataBranchDiffAnswer };
  strata_branch_merge: { arguments: StrataBranchMergeArguments; answer: StrataBranchMergeAnswer };
  strata_branch_switch: { arguments: StrataBranchSwitchArguments; answer: StrataBranchSwitchAnswer };
  strata_vector_upsert: { arguments: StrataVectorUpsertArguments; answer: StrataVectorUpsertAnswer };
  strata_vector_get: { arguments: StrataVectorGetArguments; answer: StrataVectorGetAnswer };
  strata_vector_delete: { arguments: StrataVectorDeleteArguments; answer: StrataVectorDeleteAnswer };
  strata_vector_search: { arguments: StrataVectorSearchArguments; answer: StrataVectorSearchAnswer };
  strata_vector_create_collection: { arguments: StrataVectorCreateCollectionArguments; answer: StrataVectorCreateCollectionAnswer };
  strata_vector_delete_collection: { arguments: StrataVectorDeleteCollectionArguments; answer: StrataVectorDeleteCollectionAnswer };
  strata_vector_list_collections: { arguments: StrataVectorListCollectionsArguments; answer: StrataVectorListCollectionsAnswer };
  strata_vector_stats: { arguments: StrataVectorStatsArguments; answer: StrataVectorStatsAnswer };
  strata_vector_batch_upsert: { arguments: StrataVectorBatchUpsertArguments; answer: StrataVectorBatchUpsertAnswer };
  strata_txn_begin: { arguments: StrataTxnBeginArguments; answer: StrataTxnBeginAnswer };
  strata_txn_commit: { arguments: StrataTxnCommitArguments; answer: StrataTxnCommitAnswer };
  strata_txn_rollback: { arguments: StrataTxnRollbackArguments; answer: StrataTxnRollbackAnswer };
  strata_txn_info: { arguments: StrataTxnInfoArguments; answer: StrataTxnInfoAnswer };
  strata_txn_active: { arguments: StrataTxnActiveArguments; answer: StrataTxnActiveAnswer };
  strata_bundle_export: { arguments: StrataBundleExportArguments; answer: StrataBundleExportAnswer };
  strata_bundle_import: { arguments: StrataBundleImportArguments; answer: StrataBundleImportAnswer };
  strata_bundle_validate: { arguments: StrataBundleValidateArguments; answer: StrataBundleValidateAnswer };
  strata_retention_apply: { arguments: StrataRetentionApplyArguments; answer: StrataRetentionApplyAnswer };
  strata_configure_model: { arguments: StrataConfigureModelArguments; answer: StrataConfigureModelAnswer };
  strata_embed: { arguments: StrataEmbedArguments; answer: StrataEmbedAnswer };
  strata_embed_batch: { arguments: StrataEmbedBatchArguments; answer: StrataEmbedBatchAnswer };
  strata_embed_status: { arguments: StrataEmbedStatusArguments; answer: StrataEmbedStatusAnswer };
  strata_generate: { arguments: StrataGenerateArguments; answer: StrataGenerateAnswer };
  strata_tokenize: { arguments: StrataTokenizeArguments; answer: StrataTokenizeAnswer };
  strata_detokenize: { arguments: StrataDetokenizeArguments; answer: StrataDetokenizeAnswer };
  strata_generate_unload: { arguments: StrataGenerateUnloadArguments; answer: StrataGenerateUnloadAnswer };
  strata_models_list: { arguments: StrataModelsListArguments; answer: StrataModelsListAnswer };
  strata_models_pull: { arguments: StrataModelsPullArguments; answer: StrataModelsPullAnswer };
  strata_models_local: { arguments: StrataModelsLocalArguments; answer: StrataModelsLocalAnswer };
  strata_durability_counters: { arguments: StrataDurabilityCountersArguments; answer: StrataDurabilityCountersAnswer };
  strata_tools_search: { arguments: StrataToolsSearchArguments; answer: StrataToolsSearchAnswer };
  strata_tools_describe: { arguments: StrataToolsDescribeArguments; answer: StrataToolsDescribeAnswer };
  strata_tools_call: { arguments: StrataToolsCallArguments; answer: StrataToolsCallAnswer };
  recall_decision: { arguments: RecallDecisionArguments; answer: RecallDecisionAnswer };
  suggest_decision: { arguments: SuggestDecisionArguments; answer: SuggestDecisionAnswer };
  list_decisions: { arguments: ListDecisionsArguments; answer: ListDecisionsAnswer };
  update_outcome: { arguments: UpdateOutcomeArguments; answer: UpdateOutcomeAnswer };
}
