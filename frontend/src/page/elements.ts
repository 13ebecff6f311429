/** Builds parts of the page. Text is set as text: nothing that people write becomes markup. */

type Child = Node | string | null | undefined | false;
type Listeners = { [K in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[K]) => void };

export interface Properties {
  class?: string;
  id?: string;
  title?: string;
  type?: string;
  href?: string;
  for?: string;
  name?: string;
  value?: string;
  rows?: number;
  placeholder?: string;
  disabled?: boolean;
  hidden?: boolean;
  required?: boolean;
  readOnly?: boolean;
  role?: string;
  tabIndex?: number;
  dateTime?: string;
  autocomplete?: string;
  maxLength?: number;
  aria?: Record<string, string>;
  data?: Record<string, string>;
  on?: Listeners;
}

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Properties = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  const { class: className, for: target, aria, data, on, role, ...rest } = properties;
  if (className) node.className = className;
  if (target) node.setAttribute("for", target);
  if (role) node.setAttribute("role", role);
  for (const [name, value] of Object.entries(aria ?? {})) node.setAttribute(`aria-${name}`, value);
  for (const [name, value] of Object.entries(data ?? {})) node.dataset[name] = value;
  for (const [name, listener] of Object.entries(on ?? {})) {
    node.addEventListener(name, listener as EventListener);
  }
  Object.assign(node, rest);
  node.append(...children.filter(isShown));
  return node;
}

/** A button that is never a form's unless it says so. */
export function button(
  label: string,
  act: () => void,
  properties: Properties = {},
): HTMLButtonElement {
  return el("button", { type: "button", ...properties, on: { click: act } }, label);
}

/** Replaces what a place of the page shows. */
export function fill(place: Element, ...children: Child[]): void {
  place.replaceChildren(...children.filter(isShown));
}

/** Finds a place that the page is known to have. */
export function place(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no place called ${id}`);
  return found;
}

/** An icon of the page's own set, for those who see; a label beside it says the same in words. */
export function icon(name: string): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  for (const d of ICONS[name] ?? []) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", d);
    svg.append(path);
  }
  return svg;
}

const SVG = "http://www.w3.org/2000/svg";
const ICONS: Record<string, string[]> = {
  back: ["M15 5l-7 7 7 7"],
  close: ["M6 6l12 12", "M18 6L6 18"],
  comment: ["M5 5h14a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-8l-4 4v-4H5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1z"],
  suggest: ["M4 20l4-1 11-11-3-3L5 16z", "M14 7l3 3"],
  plus: ["M12 5v14", "M5 12h14"],
  search: ["M11 18a7 7 0 1 1 0-14 7 7 0 0 1 0 14z", "M16 16l4 4"],
  agent: [
    "M7 8h10a2 2 0 0 1 2 2v6a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2v-6a2 2 0 0 1 2-2z",
    "M12 8V4",
    "M9.5 12.5v1",
    "M14.5 12.5v1",
  ],
  branch: ["M7 4v16", "M17 4v4a5 5 0 0 1-5 5H7"],
};

function isShown(child: Child): child is Node | string {
  return child !== null && child !== undefined && child !== false;
}
