/** A picture of the document. It comes from the server by its id; foreign ones are only named. */
import { Facet } from "@codemirror/state";
import { EditorView, WidgetType } from "@codemirror/view";
import { editorWords } from "../words";
import { element } from "./widgets";

export type Fetch = (image: string) => Promise<string>;

/** How pictures of this document are fetched. */
export const pictures = Facet.define<Fetch, Fetch | null>({
  combine: (given) => given[0] ?? null,
});

const OWN = /^image:([0-9a-f]+)$/iu;
const HEIGHT_PX = 240;
// By the picture's id, which is the hash of its bytes: one picture is fetched once a page.
const known = new Map<string, Promise<string>>();

export class Picture extends WidgetType {
  constructor(
    private readonly source: string,
    private readonly alt: string,
  ) {
    super();
  }

  override eq(other: Picture): boolean {
    return other.source === this.source && other.alt === this.alt;
  }

  override get estimatedHeight(): number {
    return HEIGHT_PX;
  }

  toDOM(view: EditorView): HTMLElement {
    const id = OWN.exec(this.source)?.[1];
    const fetchPicture = view.state.facet(pictures);
    const place = element("span", "cm-picture");
    if (!id || !fetchPicture) {
      // A foreign picture would tell its server who reads this document, and when.
      place.append(foreign(this.source, this.alt));
      return place;
    }
    const picture = document.createElement("img");
    picture.alt = this.alt;
    picture.addEventListener("load", () => view.requestMeasure());
    place.append(picture);
    addressOf(id, fetchPicture).then(
      (address) => (picture.src = address),
      () => place.replaceChildren(element("span", "cm-picture-none", missing(this.alt))),
    );
    return place;
  }

  override ignoreEvent(event: Event): boolean {
    return event.type !== "mousedown";
  }
}

function foreign(source: string, alt: string): HTMLElement {
  const shown = element("span", "cm-picture-none", `${editorWords().picture}: ${alt || source}`);
  shown.dataset["to"] = source;
  return shown;
}

function missing(alt: string): string {
  return `${editorWords().noPicture}${alt ? `: ${alt}` : ""}`;
}

function addressOf(id: string, fetchPicture: Fetch): Promise<string> {
  const before = known.get(id);
  if (before) return before;
  const address = fetchPicture(id);
  known.set(id, address);
  address.catch(() => known.delete(id));
  return address;
}
