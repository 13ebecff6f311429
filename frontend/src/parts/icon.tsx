/** An icon for those who see; a label beside it, or the control's own name, says the same. */
import type { IconNode } from "lucide";
import { createElement } from "preact";

export type { IconNode };

export function Icon({ of, size = 16 }: { of: IconNode; size?: 16 | 20 }) {
  return (
    <svg
      class="icon"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width={size === 16 ? 2.25 : 1.8}
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      {of.map(([tag, attributes], index) => createElement(tag, { ...attributes, key: index }))}
    </svg>
  );
}
