/** Who is signed in, and what they may do here. Asked once a page. */
import { signal } from "@preact/signals";
import { asToolError, whoAmI } from "../api/tools";
import type { Me } from "../api/types";
import { signInPath } from "../page/leaving";
import { isOnline } from "./feed";

export const me = signal<Me | null>(null);

const AGAIN_MS = 2000;

/** Learns who the user is; sends one who is not signed in to where that is done. */
export async function learnWhoIAm(): Promise<void> {
  try {
    me.value = await whoAmI();
    isOnline.value = true;
  } catch (caught) {
    const error = asToolError(caught);
    if (error.status === 401) return location.assign(signInPath(location));
    isOnline.value = false;
    setTimeout(() => void learnWhoIAm(), AGAIN_MS);
  }
}

/** Whether the user may call a tool or a page operation. */
export function may(tool: string): boolean {
  return me.value?.tools.includes(tool) ?? false;
}
