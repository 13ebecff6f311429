/** A document as it was at a past time: for reading only. */
import { useEffect, useRef } from "preact/hooks";
import { call } from "../api/tools";
import { useAnswer } from "../app/answers";
import { reader } from "../editor/editor";
import { links } from "../editor/links";
import { pictures } from "../editor/preview/picture";
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
  return (
    <Shown answer={answer}>
      {(found) => (
        <>
          <header class="bar">
            <div class="bar-left">
              <h1 class="title">{found.title || documentWords().untitled}</h1>
            </div>
          </header>
          <div class="work">
            <PastText id={id} text={found.content ?? ""} />
          </div>
        </>
      )}
    </Shown>
  );
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
