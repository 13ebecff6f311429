/** The tree of names: namespaces, and in the open one the folders on the way to what is shown. */
import { Box, Folder, FolderOpen } from "lucide";
import { useEffect, useState } from "preact/hooks";
import type { PageMemoryAnswer } from "../../../../docs/reference/page";
import { call } from "../../api/tools";
import { useAnswer } from "../../app/answers";
import { number } from "../../app/words";
import { Button } from "../../parts/button";
import { Icon } from "../../parts/icon";
import { tellError } from "../../parts/notices";
import { folderLink } from "../../app/memory-address";
import { isAboutFacts } from "./table";
import { memoryWords } from "./words";

type FolderLine = PageMemoryAnswer["folders"][number];

const FOLDERS = 200;

export interface TreeProps {
  namespaces: PageMemoryAnswer["namespaces"];
  namespace: string;
  prefix: string;
}

export function Tree({ namespaces, namespace, prefix }: TreeProps) {
  const shown = namespaces.filter((one) => one.facts > 0 || one.name === namespace);
  return (
    <nav class="tree" aria-label={memoryWords().tree}>
      <ul>
        {shown.map((one) => (
          <li key={one.name}>
            <a
              href={folderLink(one.name, "")}
              aria-current={one.name === namespace && prefix === "" ? "true" : undefined}
            >
              <Icon of={Box} />
              <span class="tree-name">{one.name}</span>
              <span class="count">{number(one.facts)}</span>
            </a>
            {one.name === namespace && one.facts > 0 && (
              <Level namespace={namespace} below="" prefix={prefix} />
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** One level of folders; those on the way to what is shown are open. */
function Level({ namespace, below, prefix }: { namespace: string; below: string; prefix: string }) {
  const { folders, more } = useFolders(namespace, below);
  if (folders.length === 0) return null;
  return (
    <ul>
      {folders.map((one) => {
        const isOpen = prefix.startsWith(one.prefix);
        return (
          <li key={one.prefix}>
            <a
              href={folderLink(namespace, one.prefix)}
              aria-current={one.prefix === prefix ? "true" : undefined}
            >
              <Icon of={isOpen ? FolderOpen : Folder} />
              <span class="tree-name">{one.name}</span>
              <span class="count">{number(one.count)}</span>
            </a>
            {isOpen && <Level namespace={namespace} below={one.prefix} prefix={prefix} />}
          </li>
        );
      })}
      {more && (
        <li>
          <Button kind="quiet" small onClick={more}>
            {memoryWords().more}
          </Button>
        </li>
      )}
    </ul>
  );
}

/** The folders below a prefix, and a way to fetch more of them. */
export function useFolders(
  namespace: string,
  prefix: string,
): { folders: FolderLine[]; more: (() => void) | null } {
  const ask = (foldersCursor?: string) =>
    call("page_memory", {
      namespace,
      prefix,
      limit: FOLDERS,
      ...(foldersCursor ? { foldersCursor } : {}),
    });
  const answer = useAnswer(() => ask(), [namespace, prefix], isAboutFacts);
  const [others, setOthers] = useState<{ folders: FolderLine[]; next: string | null } | null>(null);
  useEffect(() => setOthers(null), [answer.value]);
  const next = others ? others.next : (answer.value?.foldersNext ?? null);
  const more = (): void =>
    void ask(next ?? undefined).then(
      (found) =>
        setOthers((before) => ({
          folders: [...(before?.folders ?? []), ...found.folders],
          next: found.foldersNext,
        })),
      tellError,
    );
  const folders = [...(answer.value?.folders ?? []), ...(others?.folders ?? [])];
  return { folders, more: next === null ? null : more };
}
