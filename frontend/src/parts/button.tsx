/** Buttons: one primary a view, plain ones, quiet ones in bars, and one for what is destructive. */
import type { ComponentChildren } from "preact";
import { Icon, type IconNode } from "./icon";

export interface ButtonProps {
  kind?: "primary" | "plain" | "quiet" | "danger";
  icon?: IconNode | undefined;
  /** What the button does, where an icon alone is shown. */
  label?: string;
  small?: boolean;
  submits?: boolean;
  disabled?: boolean;
  pressed?: boolean;
  expanded?: boolean;
  class?: string;
  title?: string;
  children?: ComponentChildren;
  onClick?: (event: MouseEvent) => void;
}

export function Button(given: ButtonProps) {
  const { kind = "plain", icon, label, small, submits, disabled, children } = given;
  const names = ["button", kind, small && "small", children === undefined && "bare", given.class];
  return (
    <button
      type={submits ? "submit" : "button"}
      class={names.filter(Boolean).join(" ")}
      disabled={disabled ?? false}
      aria-label={label}
      aria-pressed={given.pressed}
      aria-expanded={given.expanded}
      title={given.title ?? (children === undefined ? label : undefined)}
      onClick={given.onClick}
    >
      {icon && <Icon of={icon} />}
      {children}
    </button>
  );
}
