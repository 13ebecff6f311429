/** A button that opens a floating part of the page, and a menu of actions in one. */
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon, type IconNode } from "./icon";

export interface FloatProps {
  /** What the button says or shows. */
  face: ComponentChildren;
  /** The button's name, where its face alone does not tell. */
  label?: string;
  title?: string;
  class?: string;
  align?: "start" | "end";
  children: (close: () => void) => ComponentChildren;
}

/** Opens below its button, closes with Escape, a click elsewhere, or when the content says so. */
export function Float({ face, label, title, class: name, align = "start", children }: FloatProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const close = (): void => {
    panel.current?.hidePopover();
    button.current?.focus();
  };
  useLayoutEffect(() => {
    const inside = panel.current;
    const opener = button.current;
    if (!isOpen || !inside || !opener) return;
    const settle = (): void => {
      place(inside, opener, align);
      const first = "[autofocus], [role=menuitem], input, button, a[href]";
      if (!inside.contains(document.activeElement))
        inside.querySelector<HTMLElement>(first)?.focus();
    };
    settle();
    // What it holds may be loaded only now, and is larger then.
    const watch = new ResizeObserver(settle);
    watch.observe(inside);
    return () => watch.disconnect();
  }, [isOpen]);
  return (
    <>
      <button
        ref={button}
        type="button"
        class={name ?? "button quiet"}
        aria-label={label}
        title={title}
        aria-expanded={isOpen}
        popovertarget={id}
      >
        {face}
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        class="float"
        onToggle={(event) => setOpen((event as unknown as ToggleEvent).newState === "open")}
      >
        {isOpen && children(close)}
      </div>
    </>
  );
}

export interface Action {
  label: string;
  icon?: IconNode;
  isDangerous?: boolean;
  isDisabled?: boolean;
  href?: string;
  act?: () => void;
}

/** Actions one below the other; the arrow keys move between them. */
export function Actions({ of, close }: { of: readonly Action[]; close: () => void }) {
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const list = event.currentTarget as HTMLElement;
    const items = [...list.querySelectorAll<HTMLElement>("[role=menuitem]")];
    const now = items.indexOf(document.activeElement as HTMLElement);
    items[(now + step + items.length) % items.length]?.focus();
  };
  return (
    <div role="menu" class="menu" onKeyDown={move}>
      {of.map((action) => {
        const inside = (
          <>
            {action.icon && <Icon of={action.icon} />}
            <span>{action.label}</span>
          </>
        );
        const name = action.isDangerous ? "danger" : undefined;
        return action.href ? (
          <a key={action.label} role="menuitem" href={action.href} class={name} onClick={close}>
            {inside}
          </a>
        ) : (
          <button
            key={action.label}
            type="button"
            role="menuitem"
            class={name}
            disabled={action.isDisabled ?? false}
            onClick={() => {
              close();
              action.act?.();
            }}
          >
            {inside}
          </button>
        );
      })}
    </div>
  );
}

const MARGIN = 8;

function place(panel: HTMLElement, button: HTMLElement, align: "start" | "end"): void {
  const at = button.getBoundingClientRect();
  const { width, height } = panel.getBoundingClientRect();
  const wanted = align === "start" ? at.left : at.right - width;
  const left = Math.max(MARGIN, Math.min(wanted, innerWidth - width - MARGIN));
  const isRoomBelow = at.bottom + 4 + height <= innerHeight - MARGIN;
  const top = isRoomBelow ? at.bottom + 4 : Math.max(MARGIN, at.top - height - 4);
  panel.style.left = `${left}px`;
  panel.style.top = `${top}px`;
}
