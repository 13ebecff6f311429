/** What the tools answer, as far as the page looks at it. */

export interface Me {
  person: { id: string; name: string; email?: string };
  isOwner: boolean;
  /** The branch that the server takes by itself. */
  branch: string;
  /** The tools and page operations that the user may call. */
  tools: string[];
  version?: string;
  language?: "en" | "ko";
}

/** Who did something: a person, or an agent for a person, in a task; or a name of no user. */
export interface Doer {
  person?: string | null;
  agent?: string | null;
  task?: string | null;
  label?: string | null;
}

/** Something that was found, whatever its kind. */
export interface PageHit {
  kind: string;
  id: string;
  title: string;
  place?: string | null;
  snippet?: string;
  /** Where the words found begin and end in the snippet, in UTF-16 units. */
  marks?: (readonly number[])[];
  why?: "words" | "meaning";
  relevance?: number;
  changed?: string | null;
  who?: Doer;
  /** What the user has to know about it: that it was replaced, failed or expired. */
  caveat?: string;
}

export interface FoundDocument {
  id: string;
  title: string;
  snippet?: string;
  folderName?: string;
  ownerName?: string;
  status?: string;
  updated?: string;
  role?: string;
}

export interface Finds {
  items: FoundDocument[];
  nextToken?: string;
  hints?: string[];
}

/** What a document is called, and what the user may do with it. */
export interface About {
  documentId: string;
  title: string;
  role: Role;
}

export type Role = "viewer" | "commenter" | "editor" | "admin" | "owner";

/** Where something about the text is in it, in UTF-16 units. */
export interface Anchored {
  start?: number;
  end?: number;
  orphaned?: boolean;
}

/** Who said something: the name of a person, and of the agent that spoke for them. */
export interface Said {
  author: string;
  authorId: string;
  via?: string;
  created?: string;
}

export interface Reply extends Said {
  commentId: string;
  body: string;
  /** When its author changed it last. */
  edited?: string;
}

export interface Comment extends Reply, Anchored {
  status: "active" | "resolved";
  /** Its author took it back; the replies of others are there. */
  deleted?: boolean;
  /** Nothing for a comment on the whole document. */
  quotedText?: string;
  /** What the words read now, if they were changed since. */
  currentText?: string;
  replies?: Reply[];
}

export interface Suggestion extends Said, Anchored {
  suggestionId: string;
  originalText: string;
  replacementText: string;
  reason?: "proposed" | "stale" | "merge";
  rationale?: string;
  severity?: "info" | "warning" | "error";
  confidence?: number;
  /** Whether it can be made: the words stand there, say it already, read otherwise, or are gone. */
  state: "applies" | "done" | "changed" | "gone";
  currentText?: string;
}

/** Everything that is said about a document. */
export interface Said {
  comments: Comment[];
  suggestions: Suggestion[];
}

/** A user or an agent at a document, as get_presence lists them. */
export interface Collaborator {
  entityType: "person" | "agent";
  displayName: string;
  userId: string;
  via?: string;
  status: "viewing" | "editing" | "idle";
  activeSection?: string;
  color: string;
}
