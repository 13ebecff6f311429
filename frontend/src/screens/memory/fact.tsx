/** One fact: its value, its tags, who wrote it, what it was before, and what one can do with it. */
import {
  ArrowLeft,
  Brain,
  Copy,
  Download,
  Ellipsis,
  Eraser,
  Pencil,
  RotateCcw,
  Trash2,
} from "lucide";
import { useEffect, useState } from "preact/hooks";
import type { PageFactAnswer } from "../../../../docs/reference/page";
import { call } from "../../api/tools";
import { useAnswer } from "../../app/answers";
import { useKeys } from "../../app/keys";
import { ask, time } from "../../app/location";
import { may, me } from "../../app/me";
import { Button } from "../../parts/button";
import { Icon } from "../../parts/icon";
import { Actions, Float, type Action } from "../../parts/menu";
import { tell, tellError } from "../../parts/notices";
import { Empty, Shown } from "../../parts/state";
import { When } from "../../parts/time";
import { download, textOf, Value } from "../../parts/value";
import { Who } from "../../parts/who";
import { partWords } from "../../parts/words";
import { Editing } from "./editing";
import { History } from "./history";
import { Purging } from "./purging";
import { isAboutFacts } from "./table";
import { EDITED_CHARACTERS_MAX, isInexact } from "./values";
import { memoryWords } from "./words";

export interface FactPanelProps {
  namespace: string;
  name: string;
  /** Where the list is, for screens that show one thing at a time. */
  listPath: string;
  onMake: () => void;
  /** Called when the user has written something, so that the list is fetched anew. */
  onChanged: () => void;
}

export function FactPanel({ namespace, name, listPath, onMake, onChanged }: FactPanelProps) {
  const words = memoryWords();
  const answer = useAnswer(
    () => call("page_fact", { key: name, namespace }),
    [namespace, name],
    isAboutFacts,
  );
  const reload = (): void => {
    answer.reload();
    onChanged();
  };
  const isMissing = answer.error?.status === 404 && answer.value === undefined;
  return (
    <section class="fact" aria-label={name}>
      <a class="button quiet fact-back" href={listPath}>
        <Icon of={ArrowLeft} />
        {words.backToList}
      </a>
      {isMissing ? (
        <Empty icon={Brain} title={words.never}>
          <p class="fact-name">{name}</p>
          {time.value === null && (
            <>
              <p>{words.neverHint}</p>
              <Button onClick={onMake}>{words.make}</Button>
            </>
          )}
        </Empty>
      ) : (
        <Shown answer={answer}>
          {(fact) => (
            <FactWhole key={`${fact.namespace} ${fact.key}`} fact={fact} reload={reload} />
          )}
        </Shown>
      )}
    </section>
  );
}

function FactWhole({ fact, reload }: { fact: PageFactAnswer; reload: () => void }) {
  const words = memoryWords();
  const [isEditing, edit] = useState(false);
  const [isPurging, purge] = useState(false);
  const isThere = fact.kind !== null;
  const isNow = time.value === null;
  const why = whyNotEdited(fact);
  const isOpen = isNow && isThere && !why && may("strata_store");
  const canEdit = isOpen && !isEditing;
  useEffect(() => {
    if (!isOpen) edit(false);
  }, [isOpen]);
  useKeys(canEdit ? [{ keys: "e", label: words.edit, act: () => edit(true) }] : []);
  return (
    <>
      <header class="fact-head">
        <h2 class="fact-name">{fact.key}</h2>
        <p class="fact-about">
          <Who {...fact.who} />
          {fact.changed && <When at={fact.changed} />}
          {fact.tags.map((tag) => (
            <span key={tag} class="tag">
              {tag}
            </span>
          ))}
        </p>
        <div class="actions">
          {!isNow && isThere && !isInexact(fact.value) && may("strata_store") && (
            <Button icon={RotateCcw} onClick={() => void restore(fact)}>
              {words.restoreThis}
            </Button>
          )}
          {canEdit && (
            <Button icon={Pencil} onClick={() => edit(true)}>
              {words.edit}
            </Button>
          )}
          <Menu fact={fact} reload={reload} purge={() => purge(true)} />
        </div>
      </header>
      {isEditing && isOpen ? (
        <Editing
          fact={fact}
          reload={reload}
          onDone={() => {
            edit(false);
            reload();
          }}
        />
      ) : isThere ? (
        <Value value={fact.value} name={fact.key} />
      ) : (
        <div class="behind">
          <p>
            <strong>{words.isForgotten}</strong>
          </p>
          {isNow && <p>{words.forgottenHint}</p>}
        </div>
      )}
      {isNow && isThere && why && <p class="quiet-text">{why}</p>}
      <History fact={fact} reload={reload} />
      {isPurging && <Purging fact={fact} onClose={() => purge(false)} onDone={reload} />}
    </>
  );
}

/** Makes the value of that time the present one, and goes there. */
async function restore({ key, namespace, value, tags }: PageFactAnswer): Promise<void> {
  try {
    await call("strata_store", { key, namespace, value, tags }, { at: null });
    tell(memoryWords().restored);
    ask({ at: null });
  } catch (error) {
    tellError(error);
  }
}

/** Why a value cannot be edited here; empty if it can. */
function whyNotEdited(fact: PageFactAnswer): string {
  const words = memoryWords();
  if (textOf(fact.value).length > EDITED_CHARACTERS_MAX)
    return words.tooLong(EDITED_CHARACTERS_MAX);
  return isInexact(fact.value) ? words.inexact : "";
}

function Menu(given: { fact: PageFactAnswer; reload: () => void; purge: () => void }) {
  const words = memoryWords();
  const { fact, reload, purge } = given;
  const isNow = time.value === null;
  const of: Action[] = [
    {
      label: words.copyName,
      icon: Copy,
      act: () => void navigator.clipboard?.writeText(fact.key).then(() => tell(partWords().copied)),
    },
  ];
  if (fact.kind !== null) {
    of.push({
      label: partWords().download,
      icon: Download,
      act: () => download(fact.key, textOf(fact.value), typeof fact.value !== "string"),
    });
    if (isNow && may("strata_forget"))
      of.push({ label: words.forget, icon: Trash2, act: () => void forget(fact, reload) });
  }
  const isLeft = fact.history.some((one) => one.state === "live");
  if (isNow && isLeft && me.value?.isOwner && may("page_purge"))
    of.push({ label: words.purge, icon: Eraser, isDangerous: true, act: purge });
  return (
    <Float
      align="end"
      class="button bare"
      label={words.actions}
      title={words.actions}
      face={<Icon of={Ellipsis} />}
    >
      {(close) => <Actions of={of} close={close} />}
    </Float>
  );
}

/** Forgets a fact; "Undo" takes that commit back, with kind and tags. */
async function forget({ key, namespace }: PageFactAnswer, reload: () => void): Promise<void> {
  const words = memoryWords();
  try {
    await call("strata_forget", { key, namespace });
    const { version } = await call("page_fact", { key, namespace, limit: 1 });
    const undo = async (): Promise<void> => {
      try {
        await call("strata_branch", { action: "revert", version });
        tell(words.back(key));
        reload();
      } catch (error) {
        tellError(error);
      }
    };
    const action = { label: partWords().undo, act: () => void undo() };
    tell(words.forgotten(key), may("strata_branch") ? { action } : {});
    reload();
  } catch (error) {
    tellError(error);
  }
}
