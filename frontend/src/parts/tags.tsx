/** Labels as chips: typed one after the other, taken away one by one. */
import { X } from "lucide";
import { useId, useState } from "preact/hooks";
import { Icon } from "./icon";
import { partWords } from "./words";

export interface TagsProps {
  label: string;
  value: readonly string[];
  onChange: (tags: string[]) => void;
}

export function Tags({ label, value, onChange }: TagsProps) {
  const words = partWords();
  const id = useId();
  const [typed, type] = useState("");
  const add = (): void => {
    const tag = typed.trim();
    type("");
    if (tag && !value.includes(tag)) onChange([...value, tag]);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (event.key === "," || (event.key === "Enter" && typed.trim())) {
      event.preventDefault();
      add();
    } else if (event.key === "Backspace" && !typed && value.length > 0) {
      onChange(value.slice(0, -1));
    }
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="tags-input">
        {value.map((tag) => (
          <button
            key={tag}
            type="button"
            class="tag"
            aria-label={words.removeTag(tag)}
            onClick={() => onChange(value.filter((one) => one !== tag))}
          >
            {tag}
            <Icon of={X} />
          </button>
        ))}
        <input
          id={id}
          type="text"
          autocomplete="off"
          maxLength={200}
          value={typed}
          placeholder={words.addTag}
          onInput={(event) => type(event.currentTarget.value)}
          onKeyDown={press}
          onBlur={add}
        />
      </div>
    </div>
  );
}
