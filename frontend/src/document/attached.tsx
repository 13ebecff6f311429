/** The files that are kept with a document, below its text. */
import { Paperclip, X } from "lucide";
import { call } from "../api/tools";
import { useAnswer } from "../app/answers";
import { link, time } from "../app/location";
import { catalogue, number } from "../app/words";
import { Button } from "../parts/button";
import { Icon } from "../parts/icon";
import { tell, tellError } from "../parts/notices";
import type { Role } from "../api/types";
import { mayWrite } from "../live/room";

const attachedWords = catalogue(
  {
    files: "Files",
    size: (bytes: number) => `${number(Math.max(1, Math.round(bytes / 1024)))} kB`,
    remove: (name: string) => `Remove ${name}`,
    removed: (name: string) => `${name} is removed. The history keeps it.`,
  },
  {
    files: "파일",
    size: (bytes) => `${number(Math.max(1, Math.round(bytes / 1024)))} kB`,
    remove: (name) => `${name} 빼기`,
    removed: (name) => `${name}을(를) 뺐습니다. 기록에는 남아 있습니다.`,
  },
);

// Every key changes the document; files change seldom.
const QUIET_MS = 1000;

export interface AttachedProps {
  id: string;
  role: Role;
}

export function Attached({ id, role }: AttachedProps) {
  const words = attachedWords();
  const answer = useAnswer(
    () => call("page_files", { documentId: id }),
    [id],
    (change) => change.more || change.keys.some((one) => one.kind === "document" && one.id === id),
    { quietMs: QUIET_MS },
  );
  const files = answer.value?.files ?? [];
  if (files.length === 0) return null;
  const remove = (fileId: string, name: string): void => {
    call("page_detach_file", { documentId: id, fileId })
      .then(() => tell(words.removed(name)), tellError)
      .finally(answer.reload);
  };
  return (
    <section class="backlinks" aria-label={words.files}>
      <h2>{words.files}</h2>
      <ul>
        {files.map((one) => (
          <li key={one.id}>
            <a href={link(one.path)} download={one.name}>
              <Icon of={Paperclip} />
              {one.name}
            </a>{" "}
            <span class="quiet-text">{words.size(one.bytes)}</span>
            {mayWrite(role) && time.value === null && (
              <Button
                small
                kind="quiet"
                icon={X}
                label={words.remove(one.name)}
                onClick={() => remove(one.id, one.name)}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
