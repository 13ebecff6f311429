/** The title of a document; one who may edit it changes it in place. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { call } from "../api/tools";
import { may } from "../app/me";
import { mayWrite } from "../live/room";
import { tellError } from "../parts/notices";
import type { Sheet } from "./sheet";
import { documentWords } from "./words";

const LONGEST = 400;

export function Title({ sheet }: { sheet: Sheet }) {
  const words = documentWords();
  const known = sheet.about.value?.title;
  const shown = known ?? "…";
  const [typed, type] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current?.select(), [typed === null]);
  useEffect(() => {
    if (known !== undefined) document.title = `${known || words.untitled} – Strata`;
  }, [known]);
  const rename = async (): Promise<void> => {
    const title = typed?.trim();
    type(null);
    if (!title || title === known) return;
    try {
      await call("page_rename", { documentId: sheet.id, title });
      await sheet.learn();
    } catch (error) {
      tellError(error);
    }
  };
  const mayRename = known !== undefined && mayWrite(sheet.role.value) && may("page_rename");
  if (typed === null) {
    return (
      <h1 class="title">
        {mayRename ? (
          <button type="button" title={words.title} onClick={() => type(known)}>
            {shown || words.untitled}
          </button>
        ) : (
          shown || words.untitled
        )}
      </h1>
    );
  }
  return (
    <form
      class="title-form"
      onSubmit={(event) => {
        event.preventDefault();
        void rename();
      }}
    >
      <input
        class="title"
        aria-label={words.title}
        value={typed}
        maxLength={LONGEST}
        ref={input}
        onInput={(event) => type(event.currentTarget.value)}
        onBlur={() => void rename()}
        onKeyDown={(event) => {
          if (event.key === "Escape") type(null);
        }}
      />
    </form>
  );
}
