/** One thing that waits: what it is about, and what one can do. */
import { useEffect, useRef, useState } from "preact/hooks";
import { time } from "../../app/location";
import { Button } from "../../parts/button";
import { Commands } from "../../parts/commands";
import { Diff } from "../../parts/diff";
import { Field } from "../../parts/field";
import { When } from "../../parts/time";
import { Who } from "../../parts/who";
import { partWords } from "../../parts/words";
import { ACTS, actsOf, pathOf, type Act, type InboxItem } from "./acts";
import { inboxWords } from "./words";

export interface ItemRowProps {
  item: InboxItem;
  isChosen: boolean;
  isSelected: boolean;
  select: () => void;
  act: (item: InboxItem, what: Act, edited?: string) => void;
}

export function ItemRow(given: ItemRowProps) {
  const { item, isChosen } = given;
  const words = inboxWords();
  const row = useRef<HTMLLIElement>(null);
  const [isEditing, setEditing] = useState(false);
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: "nearest" });
  }, [isChosen]);
  const mayAct = time.value === null;
  return (
    <li ref={row} class="inbox-item" aria-current={isChosen ? "true" : undefined}>
      <p class="inbox-head">
        {mayAct && actsOf(item).length > 0 && (
          <input
            type="checkbox"
            aria-label={words.selectThing(item.title)}
            checked={given.isSelected}
            onChange={given.select}
          />
        )}
        <span class={`inbox-kind ${item.kind}`}>{words[item.kind]}</span>
        <a href={pathOf(item)}>{item.title}</a>
        {item.section && <span class="quiet-text">{item.section}</span>}
        <span class="inbox-who">
          <Who {...item.who} />
          {item.when && <When at={item.when} />}
        </span>
      </p>
      <Words of={item} />
      <Origin of={item} />
      {item.body && (
        <p class="inbox-body">{item.kind === "task" ? <Commands text={item.body} /> : item.body}</p>
      )}
      {isEditing && mayAct ? (
        <Editing {...given} close={() => setEditing(false)} />
      ) : (
        <p class="actions">
          {mayAct && <Acts {...given} edit={() => setEditing(true)} />}
          <a class="button quiet small" href={pathOf(item)}>
            {words.open}
          </a>
        </p>
      )}
    </li>
  );
}

function Words({ of }: { of: InboxItem }) {
  const words = inboxWords();
  if (!of.before && !of.after) return null;
  if (of.kind === "comment" || of.kind === "task") {
    return (
      <p class="inbox-change">
        <q>{of.before}</q>
      </p>
    );
  }
  return (
    <>
      <p class="inbox-change">
        <Diff before={of.before ?? ""} after={of.after ?? ""} />
      </p>
      {of.state === "changed" && (
        <p class="inbox-late">
          {of.kind === "proposal" ? words.overtaken : words.changed(of.now ?? "")}
        </p>
      )}
      {of.state === "gone" && <p class="inbox-late">{words.gone}</p>}
      {of.state === "done" && <p class="inbox-late">{words.saidAlready}</p>}
    </>
  );
}

/** Where a proposal comes from, and the facts that say nearly the same. */
function Origin({ of }: { of: InboxItem }) {
  const words = inboxWords();
  return (
    <>
      {of.sources && of.sources.length > 0 && (
        <p class="quiet-text">{words.sources(of.sources.join(", "))}</p>
      )}
      {of.twins && of.twins.length > 0 && (
        <ul class="inbox-twins" aria-label={words.twins}>
          {of.twins.map((twin) => (
            <li key={twin.key}>
              {words.twin(twin.key)} <q>{twin.text}</q>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Acts({ item, isChosen, act, edit }: ItemRowProps & { edit: () => void }) {
  const words = inboxWords();
  return (
    <>
      {actsOf(item).map((what, index) => (
        <Button
          key={what}
          small
          {...(index === 0 && isChosen && what !== "apply" ? { kind: "primary" as const } : {})}
          onClick={() => act(item, what)}
        >
          {nameOf(item, what)}
          {ACTS[what] && <kbd>{ACTS[what]}</kbd>}
        </Button>
      ))}
      {item.can.includes("edit") && (
        <Button small onClick={edit}>
          {words.edit}
        </Button>
      )}
    </>
  );
}

/** A conflict has two sides; a suggestion is taken or not. */
function nameOf(item: InboxItem, what: Act): string {
  const words = inboxWords();
  if (item.kind === "conflict" && what !== "resolve") {
    return what === "reject" ? words.ours : words.theirs;
  }
  return what === "reject" && item.state === "done" ? words.dismiss : words[what];
}

function Editing({ item, act, close }: ItemRowProps & { close: () => void }) {
  const words = inboxWords();
  const [typed, type] = useState(item.after ?? "");
  const save = (event: Event): void => {
    event.preventDefault();
    act(item, "accept", typed);
  };
  return (
    <form
      class="inbox-edit"
      onSubmit={save}
      onKeyDown={(event) => event.key === "Escape" && !event.isComposing && close()}
    >
      <Field label={words.edited} value={typed} onInput={type} rows={3} autofocus />
      <div class="actions">
        <Button kind="primary" small submits>
          {words.save}
        </Button>
        <Button kind="quiet" small onClick={close}>
          {partWords().cancel}
        </Button>
      </div>
    </form>
  );
}
