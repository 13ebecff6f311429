/** The screens that the frame leads to, in their order, with the key behind `g`. */
import {
  Activity,
  Bot,
  Brain,
  FileText,
  GitBranch,
  Globe,
  Inbox,
  Settings,
  Signpost,
  Trash2,
  Zap,
} from "lucide";
import type { IconNode } from "../parts/icon";
import { may } from "./me";
import { match } from "./routes";

export interface Destination {
  path: string;
  word:
    | "inbox"
    | "activity"
    | "documents"
    | "memory"
    | "decisions"
    | "events"
    | "branches"
    | "agents"
    | "published"
    | "trash"
    | "settings";
  icon: IconNode;
  key: string;
  /** The operation that the screen lives on; without it the screen has nothing to show. */
  needs?: string;
  /** Kept in sight on a phone; the others are behind "More". */
  isFirst?: boolean;
}

const DESTINATIONS: readonly Destination[] = [
  { path: "/", word: "inbox", icon: Inbox, key: "i", needs: "page_inbox", isFirst: true },
  { path: "/activity", word: "activity", icon: Activity, key: "a", needs: "page_activity" },
  { path: "/docs", word: "documents", icon: FileText, key: "d", isFirst: true },
  { path: "/memory", word: "memory", icon: Brain, key: "m", needs: "page_memory", isFirst: true },
  { path: "/decisions", word: "decisions", icon: Signpost, key: "e", needs: "page_topics" },
  { path: "/events", word: "events", icon: Zap, key: "v", needs: "page_events" },
  { path: "/branches", word: "branches", icon: GitBranch, key: "b", needs: "page_branches" },
  { path: "/agents", word: "agents", icon: Bot, key: "g", needs: "page_agents" },
  { path: "/published", word: "published", icon: Globe, key: "p", needs: "page_published" },
  { path: "/trash", word: "trash", icon: Trash2, key: "t" },
  { path: "/settings", word: "settings", icon: Settings, key: "s" },
];

/** What this user can go to: screens that exist and that their rights reach. */
export function destinations(): Destination[] {
  return DESTINATIONS.filter((one) => match(one.path) && (!one.needs || may(one.needs)));
}
