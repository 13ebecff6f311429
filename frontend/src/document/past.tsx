/** A document as it was at a past time: for reading only. */
import { RotateCcw } from "lucide";
import { useEffect, useRef } from "preact/hooks";
import { call } from "../api/tools";
import type { Role } from "../api/types";
import { useAnswer } from "../app/answers";
import { ask } from "../app/location";
import { may } from "../app/me";
import { reader } from "../editor/editor";
import { links } from "../editor/links";
import { pictures } from "../editor/preview/picture";
import { mayWrite } from "../live/room";
import { Button } from "../parts/button";
import { tell, tellError } from "../parts/notices";
import { Shown } from "../parts/state";
import { pictureOf } from "./files";
import { following } from "./following";
import { documentWords } from "./words";

const WHOLE = 2 ** 31;

export function PastDocument({ id, at }: { id: string; at: string }) {
  const answer = useAnswer(
    () => call("read_document", { documentId: id, maxTokens: WHOLE, asOf: at }),
    [id, at],
  );
  const words = documentWords();
  return (
    <Shown answer={answer}>
      {(found) => (
        <>
          <header class="bar">
            <div class="bar-left">
              <h1 class="title">{found.title || words.untitled}</h1>
            </div>
            {mayWrite(found.role as Role) && may("page_restore") && (
              <div class="bar-right">
                <Button icon={RotateCcw} onClick={() => void restore(id)}>
                  {words.restoreThis}
                </Button>
              </div>
            )}
          </header>
          <div class="work">
            <PastText id={id} text={found.content ?? ""} />
          </div>
        </>
      )}
    </Shown>
  );
}

/** Makes the text of that time the present one, and goes there. */
async function restore(documentId: string): Promise<void> {
  try {
    const { versions } = await call("page_versions", { documentId, limit: 1 });
    const documentVersion = versions[0]?.version ?? 0;
    await call("page_restore", { documentId, documentVersion }, { at: null });
    tell(documentWords().restored);
    ask({ at: null });
  } catch (error) {
    tellError(error);
  }
}

function PastText({ id, text }: { id: string; text: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!place.current) return;
    const parts = [links(following), pictures.of((image) => pictureOf(id, image))];
    const view = reader(place.current, text, parts);
    return () => view.destroy();
  }, [id, text]);
  return <section class="text" aria-label={documentWords().document} ref={place} />;
}
