/** Publishing a document, taking it back, and its published versions: dialogs and acts. */
import { EyeOff, Globe } from "lucide";
import { useEffect, useState } from "preact/hooks";
import { call } from "../../api/tools";
import { useAnswer } from "../../app/answers";
import { Button } from "../../parts/button";
import { Confirm } from "../../parts/confirm";
import { Dialog } from "../../parts/dialog";
import { Check } from "../../parts/field";
import { Diff } from "../../parts/diff";
import { tell, tellError } from "../../parts/notices";
import { Shown } from "../../parts/state";
import { When } from "../../parts/time";
import { Who } from "../../parts/who";
import { partWords } from "../../parts/words";
import { publishedWords } from "./words";
import "./published.css";

export interface PublishingProps {
  documentId: string;
  title: string;
  onClose: () => void;
  onDone?: () => void;
}

export async function copyAddress(url: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(new URL(url, location.href).href);
    tell(publishedWords().copied);
  } catch (error) {
    tellError(error);
  }
}

export function Publish({ documentId, title, onClose, onDone }: PublishingProps) {
  const words = publishedWords();
  const answer = useAnswer(() => call("get_publish_status", { documentId }), [documentId]);
  const [pins, setPins] = useState<boolean | null>(null);
  const [isBusy, setBusy] = useState(false);
  const publish = async (wasPinned: boolean): Promise<void> => {
    setBusy(true);
    try {
      const isPinned = pins ?? wasPinned;
      const done = await call("publish_document", { documentId, pinToProfile: isPinned });
      onClose();
      const url = done.url ?? "";
      tell(words.published(title), {
        ...(url ? { action: { label: words.copy, act: () => void copyAddress(url) } } : {}),
      });
      onDone?.();
    } catch (error) {
      tellError(error);
      setBusy(false);
    }
  };
  return (
    <Dialog title={words.publishTitle(title)} onClose={onClose}>
      <Shown answer={answer}>
        {(status) => {
          const isPublic = status.state === "published";
          const isSame = isPublic && status.hasUnpublishedChanges === false;
          const pinned = status.pinned === true;
          return (
            <>
              <p>{isSame ? words.same : words.publishHint}</p>
              {isPublic && !isSame && <p class="quiet-text">{words.again}</p>}
              {!isPublic && status.versionNumber !== undefined && (
                <p class="quiet-text">{words.showAgain}</p>
              )}
              {status.url && (
                <p class="public-address">
                  <a href={status.url} target="_blank" rel="noopener">
                    {readable(status.url)}
                  </a>
                </p>
              )}
              <Check label={words.pinFirst} value={pins ?? pinned} onChange={setPins} />
              <div class="actions">
                <Button
                  kind="primary"
                  icon={Globe}
                  disabled={isBusy || (isSame && (pins ?? pinned) === pinned)}
                  onClick={() => void publish(pinned)}
                >
                  {words.publishNow}
                </Button>
                <Button kind="quiet" onClick={onClose}>
                  {partWords().cancel}
                </Button>
              </div>
            </>
          );
        }}
      </Shown>
    </Dialog>
  );
}

export function Unpublish({ documentId, title, onClose, onDone }: PublishingProps) {
  const words = publishedWords();
  const unpublish = async (): Promise<void> => {
    await call("unpublish_document", { documentId });
    tell(words.unpublished(title));
    onDone?.();
  };
  return (
    <Confirm
      title={words.unpublishTitle(title)}
      button={words.unpublish}
      icon={EyeOff}
      act={unpublish}
      onClose={onClose}
    >
      <p>{words.unpublishHint}</p>
    </Confirm>
  );
}

type Versions = Awaited<ReturnType<typeof call<"page_published_versions">>>["versions"];

export function FrozenVersions({ documentId, title, onClose, onDone }: PublishingProps) {
  const words = publishedWords();
  const answer = useAnswer(() => call("page_published_versions", { documentId }), [documentId]);
  const [earlier, setEarlier] = useState<{ versions: Versions; next: number | null } | null>(null);
  const [chosen, choose] = useState<number | null>(null);
  useEffect(() => setEarlier(null), [answer.value]);
  const more = async (before: number): Promise<void> => {
    try {
      const found = await call("page_published_versions", { documentId, before });
      setEarlier({
        versions: [...(earlier?.versions ?? []), ...found.versions],
        next: found.next,
      });
    } catch (error) {
      tellError(error);
    }
  };
  const rollBack = async (number: number): Promise<void> => {
    try {
      await call("page_rollback", { documentId, number });
      onClose();
      tell(words.rolledBack(number));
      onDone?.();
    } catch (error) {
      tellError(error);
    }
  };
  return (
    <Dialog title={words.versionsTitle(title)} onClose={onClose} wide>
      <Shown answer={answer}>
        {(found) => {
          const versions = [...found.versions, ...(earlier?.versions ?? [])];
          const next = earlier ? earlier.next : found.next;
          return (
            <>
              <ol class="card-list frozen-list" aria-label={words.list}>
                {versions.map((one) => (
                  <li key={one.number} class="frozen">
                    <p class="frozen-head">
                      <strong>{words.number(one.number)}</strong>
                      {one.isShown && <span class="status good">{words.shown}</span>}
                      <When at={one.published} />
                      <Who person={one.person} agent={one.agent} />
                    </p>
                    <p class="quiet-text">{one.title}</p>
                    <p class="actions">
                      <Button
                        small
                        expanded={chosen === one.number}
                        onClick={() => choose(chosen === one.number ? null : one.number)}
                      >
                        {words.preview}
                      </Button>
                      {!one.isShown && (
                        <Button small onClick={() => void rollBack(one.number)}>
                          {words.rollBack}
                        </Button>
                      )}
                    </p>
                    {chosen === one.number && (
                      <FrozenText documentId={documentId} number={one.number} />
                    )}
                  </li>
                ))}
              </ol>
              {next !== null && (
                <Button onClick={() => void more(next)}>{partWords().loadMore}</Button>
              )}
            </>
          );
        }}
      </Shown>
    </Dialog>
  );
}

function FrozenText({ documentId, number }: { documentId: string; number: number }) {
  const words = publishedWords();
  const answer = useAnswer(
    () => call("page_published_text", { documentId, number }),
    [documentId, number],
  );
  return (
    <Shown answer={answer}>
      {({ text, shown }) => (
        <>
          {shown !== null && (
            <p class="quiet-text">{shown === text ? words.equal : words.against}</p>
          )}
          <div class="frozen-text" tabIndex={0} role="region" aria-label={words.number(number)}>
            <Diff before={shown ?? text} after={text} />
          </div>
        </>
      )}
    </Shown>
  );
}

/** An address with letters in place of their codes. */
export function readable(url: string): string {
  try {
    return decodeURI(url);
  } catch {
    return url;
  }
}
