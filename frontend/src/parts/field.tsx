/** A labelled input. */
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import type { ComponentChildren } from "preact";

export interface FieldProps {
  label: string;
  value: string;
  onInput: (value: string) => void;
  type?: "text" | "email" | "search" | "url" | "number" | "date" | "datetime-local" | "password";
  hint?: string;
  error?: string | undefined;
  required?: boolean;
  autofocus?: boolean;
  maxLength?: number;
  rows?: number;
  placeholder?: string;
}

export function Field(given: FieldProps) {
  const id = useId();
  const input = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (given.autofocus) input.current?.focus({ preventScroll: true });
  }, []);
  const about = given.error || given.hint ? `${id}-about` : undefined;
  const common = {
    id,
    ref: (element: HTMLElement | null) => void (input.current = element),
    value: given.value,
    required: given.required ?? false,
    autofocus: given.autofocus ?? false,
    maxLength: given.maxLength,
    placeholder: given.placeholder,
    autocomplete: "off",
    "aria-describedby": about,
    "aria-invalid": given.error ? true : undefined,
    onInput: (event: Event) => given.onInput((event.currentTarget as HTMLInputElement).value),
  };
  return (
    <div class="field">
      <label for={id}>{given.label}</label>
      {given.rows ? (
        <textarea {...common} rows={given.rows} />
      ) : (
        <input {...common} type={(given.type ?? "text") as "text"} />
      )}
      {about && (
        <p id={about} class={given.error ? "field-error" : "field-hint"}>
          {given.error ?? given.hint}
        </p>
      )}
    </div>
  );
}

export interface ChoiceProps<T extends string> {
  label: string;
  value: T;
  of: readonly { value: T; label: string }[];
  onChange: (value: T) => void;
  hidesLabel?: boolean;
  children?: ComponentChildren;
}

/** One of a few: the browser's own list. */
export function Choice<T extends string>(given: ChoiceProps<T>) {
  const id = useId();
  return (
    <div class="field choice">
      <label for={id} class={given.hidesLabel ? "sr-only" : undefined}>
        {given.label}
      </label>
      <select
        id={id}
        value={given.value}
        onChange={(event) => given.onChange(event.currentTarget.value as T)}
      >
        {given.of.map((one) => (
          <option key={one.value} value={one.value}>
            {one.label}
          </option>
        ))}
      </select>
    </div>
  );
}

export interface CheckProps {
  label: string;
  value: boolean;
  onChange: (value: boolean) => void;
  /** What it means, on hover. */
  hint?: string;
}

/** Yes or no: the browser's own box, with its words behind it. */
export function Check({ label, value, onChange, hint }: CheckProps) {
  return (
    <label class="check" title={hint}>
      <input
        type="checkbox"
        checked={value}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}
