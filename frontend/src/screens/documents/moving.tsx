/** Moves documents to another folder, after telling who will gain and lose access by it. */
import { useState } from "preact/hooks";
import type { PageMovePreviewAnswer } from "../../../../docs/reference/page";
import { call } from "../../api/tools";
import { useAnswer } from "../../app/answers";
import { Button } from "../../parts/button";
import { Dialog } from "../../parts/dialog";
import { folderName } from "../../parts/folder-name";
import { tell, tellError } from "../../parts/notices";
import { Failed, Shown } from "../../parts/state";
import { partWords } from "../../parts/words";
import { FolderPicker } from "./picker";
import type { Folder } from "./places";
import type { DocumentLine } from "./table";
import { documentsWords } from "./words";

export interface MovingProps {
  lines: readonly DocumentLine[];
  onClose: () => void;
  onDone: () => void;
}

export function Moving({ lines, onClose, onDone }: MovingProps) {
  const words = documentsWords();
  const [target, choose] = useState<Folder | null>(null);
  const moved = lines.filter((one) => one.canManage);
  const ids = moved.map((one) => one.id);
  const only = new Set(moved.map((one) => one.folder));
  const isHere = (folder: Folder): boolean => only.size === 1 && only.has(folder.id);
  const move = async (folder: Folder): Promise<void> => {
    try {
      const done = await call("page_move_documents", { documentIds: ids, folderId: folder.id });
      const undo = async (): Promise<void> => {
        try {
          for (const one of done.undo) await call("page_move_documents", one);
          tell(words.movedBack);
        } catch (error) {
          tellError(error);
        }
        onDone();
      };
      const action = { label: partWords().undo, act: () => void undo() };
      tell(
        words.moved(ids.length, folderName(done.folderName)),
        done.undo.length > 0 ? { action } : {},
      );
      onClose();
    } catch (error) {
      tellError(error);
    }
    onDone();
  };
  return (
    <Dialog title={words.moveTitle(ids.length)} onClose={onClose}>
      {moved.length < lines.length && (
        <p class="quiet-text">{words.moveStays(lines.length - moved.length)}</p>
      )}
      <FolderPicker
        chosen={target}
        choose={choose}
        canChoose={(one) => one.canWrite && !isHere(one)}
      />
      {target ? (
        <Effect key={target.id} ids={ids} folder={target} move={() => void move(target)} />
      ) : (
        <p class="quiet-text">{words.chooseFolder}</p>
      )}
    </Dialog>
  );
}

function Effect({ ids, folder, move }: { ids: string[]; folder: Folder; move: () => void }) {
  const words = documentsWords();
  const answer = useAnswer(
    () => call("page_move_preview", { documentIds: ids, folderId: folder.id }),
    [ids, folder.id],
    () => false,
  );
  const { error } = answer;
  if (error) return <Failed message={error.message} hint={error.hint} said={error.said} />;
  return (
    <>
      <div class="move-effect" role="status">
        <Shown answer={answer}>{(found) => <Readers found={found} count={ids.length} />}</Shown>
      </div>
      <div class="actions">
        <Button kind="primary" disabled={answer.value === undefined} onClick={move}>
          {words.moveNow}
        </Button>
      </div>
    </>
  );
}

type Change = PageMovePreviewAnswer["gaining"][number];

function Readers({ found, count }: { found: PageMovePreviewAnswer; count: number }) {
  const words = documentsWords();
  const all = [...found.gaining, ...found.losing, ...found.changing];
  if (all.length === 0) return <p>{words.sameReaders(count)}</p>;
  const role = (name: string | null): string =>
    name === null ? words.noAccess : words.roles[name as keyof typeof words.roles];
  const isWhole = (changes: readonly Change[]): boolean =>
    changes.every((one) => one.documents === count);
  return (
    <>
      {found.gaining.length > 0 && (
        <p class="gains">
          {isWhole(found.gaining)
            ? words.gains(names(found.gaining, found.gainingTotal), count)
            : words.gainsSome(names(found.gaining, found.gainingTotal))}
        </p>
      )}
      {found.losing.length > 0 && (
        <p class="loses">
          {isWhole(found.losing)
            ? words.loses(names(found.losing, found.losingTotal))
            : words.losesSome(names(found.losing, found.losingTotal))}
        </p>
      )}
      {found.changing.length > 0 && (
        <p>{words.changes(names(found.changing, found.changingTotal))}</p>
      )}
      <details open={all.length <= 2}>
        <summary>{words.exactly}</summary>
        <ul class="readers">
          {all.map((one, index) => (
            <li key={index}>
              <span>{one.isMe ? words.you : one.name}</span>
              <span class="quiet-text">
                {`${role(one.before)} → ${role(one.after)}`}
                {one.documents < count && ` · ${words.partly(one.documents, count)}`}
              </span>
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

const NAMED = 2;

/** The first names, and how many others there are. */
function names(changes: readonly Change[], total: number): string {
  const words = documentsWords();
  const all = [...new Set(changes.map((one) => (one.isMe ? words.you : one.name)))];
  const shown = all.slice(0, total <= NAMED + 1 ? total : NAMED);
  const others = total - shown.length;
  if (others > 0) return words.and(shown.join(", "), words.other(others));
  const last = shown.at(-1) ?? "";
  return shown.length > 1 ? words.and(shown.slice(0, -1).join(", "), last) : last;
}
