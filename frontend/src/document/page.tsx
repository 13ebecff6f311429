/** The page of one document: its bar, outline, text, and what is said about it. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { address, link } from "../app/location";
import { late } from "../parts/late";
import { Empty } from "../parts/state";
import { Bar } from "./bar";
import { showsReview } from "./looks";
import { farewell, Sheet } from "./sheet";
import { documentWords } from "./words";

/** Below this width comments and suggestions are a sheet over the text, on request only. */
const NARROW = "(max-width: 70rem)";

// Everything below is loaded once the text is there: reading begins without it.
const Review = late(() => import("../review/review").then((part) => part.Review));
const Attached = late(() => import("./attached").then((part) => part.Attached));
const Suggesting = late(() => import("./suggesting").then((part) => part.Suggesting));
const NO_OUTLINE = <div class="outline" />;
const Outline = late(() => import("./outline").then((part) => part.Outline), NO_OUTLINE);
const Backlinks = late(() => import("./backlinks").then((part) => part.Backlinks));

export function DocumentPage({ id, branch }: { id: string; branch: string | null }) {
  const words = documentWords();
  const place = useRef<HTMLDivElement>(null);
  const sheet = useMemo(() => new Sheet(id, branch), [id, branch]);
  const isNarrow = useMedia(NARROW);
  const [isSheetOpen, openSheet] = useState(false);
  useEffect(() => {
    if (place.current) sheet.start(place.current);
    return () => sheet.close();
  }, [sheet]);
  const seat = sheet.seat.value;
  useEffect(() => {
    // The inbox leads to what waits; whatever opens the cards then shows it.
    const card = address.peek().searchParams.get("card");
    if (seat && card) seat.board.chosen.value = card;
  }, [seat]);
  const isThere = sheet.isThere.value;
  const isAsked = seat !== null && (seat.draft.value !== null || seat.board.chosen.value !== null);
  useEffect(() => {
    // A user who writes about words, or chooses a mark, wants to see the cards.
    if (isAsked && isNarrow) openSheet(true);
    else if (isAsked) showsReview.value = true;
  }, [isAsked]);
  if (sheet.ending.value !== null) {
    const { message, hint } = farewell(sheet.ending.value);
    return (
      <Empty title={message}>
        <p>{hint}</p>
        <a class="button primary" href={link("/docs")}>
          {words.documents}
        </a>
      </Empty>
    );
  }
  const isSuggesting = sheet.isSuggesting.value;
  const isShown = !isSuggesting && (isNarrow ? isSheetOpen : showsReview.value);
  const toggle = (): void => {
    if (isNarrow) openSheet(!isSheetOpen);
    else showsReview.value = !showsReview.value;
  };
  const close = (): void => {
    openSheet(false);
    if (seat) seat.board.chosen.value = null;
  };
  return (
    <div class={isShown && !isNarrow ? "document-page shows-review" : "document-page"}>
      <Bar sheet={sheet} isReviewShown={isShown} toggleReview={toggle} />
      <div class="work">
        {seat && isThere ? <Outline seat={seat} /> : NO_OUTLINE}
        <div class="text">
          {isSuggesting && <Suggesting sheet={sheet} />}
          <section ref={place} aria-label={words.document} hidden={isSuggesting} />
          {isThere && <Attached id={id} role={sheet.role.value} />}
          {isThere && <Backlinks id={id} />}
        </div>
        {seat && isThere && isShown && <Review seat={seat} isSheet={isNarrow} onClose={close} />}
      </div>
    </div>
  );
}

function useMedia(query: string): boolean {
  const media = useMemo(() => matchMedia(query), [query]);
  const [fits, setFits] = useState(media.matches);
  useEffect(() => {
    const listen = (): void => setFits(media.matches);
    media.addEventListener("change", listen);
    return () => media.removeEventListener("change", listen);
  }, [media]);
  return fits;
}
