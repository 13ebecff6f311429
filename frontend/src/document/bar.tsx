/** The bar above the text: the title, what is saved, who is here, and what one can do. */
import type { ReadonlySignal } from "@preact/signals";
import { Ellipsis, MessageSquare, Share2 } from "lucide";
import { useEffect, useRef, useState } from "preact/hooks";
import type { SaveState } from "../live/room";
import { Button } from "../parts/button";
import { Icon } from "../parts/icon";
import { late } from "../parts/late";
import { Float } from "../parts/menu";
import { People } from "../people/chips";
import type { Sheet } from "./sheet";
import { Title } from "./title";
import { documentWords } from "./words";

const DocumentActions = late(() => import("./actions").then((part) => part.DocumentActions));
const Publish = late(() => import("../screens/published/publishing").then((part) => part.Publish));
const Share = late(() => import("./share").then((part) => part.Share));

export interface BarProps {
  sheet: Sheet;
  isReviewShown: boolean;
  toggleReview: () => void;
}

export function Bar({ sheet, isReviewShown, toggleReview }: BarProps) {
  const words = documentWords();
  const [isSharing, setSharing] = useState(false);
  const [isPublishing, setPublishing] = useState(false);
  const share = (): void => setSharing(true);
  const role = sheet.role.value;
  const board = sheet.seat.value?.board;
  const open = board
    ? board.comments.value.filter((one) => one.status === "active").length +
      board.suggestions.value.length
    : 0;
  return (
    <header class="bar">
      <div class="bar-left">
        <Title sheet={sheet} />
        {(role === "viewer" || role === "commenter") && sheet.about.value && (
          <span class="role">{words[role]}</span>
        )}
      </div>
      <div class="bar-right">
        <State of={sheet.state} />
        <People people={sheet.people.value} />
        <Button
          kind="quiet"
          class="toggle"
          pressed={isReviewShown}
          onClick={toggleReview}
          title={words.review}
        >
          <Icon of={MessageSquare} />
          <span class="sr-only">{words.review}</span>
          {open > 0 && <span class="count">{open}</span>}
        </Button>
        {(role === "owner" || role === "admin") && (
          <Button icon={Share2} onClick={share}>
            {words.share}
          </Button>
        )}
        <Float align="end" label={words.more} title={words.more} face={<Icon of={Ellipsis} />}>
          {(close) => (
            <DocumentActions
              sheet={sheet}
              share={share}
              publish={() => setPublishing(true)}
              close={close}
            />
          )}
        </Float>
      </div>
      {isSharing && <Share sheet={sheet} onClose={() => setSharing(false)} />}
      {isPublishing && (
        <Publish
          documentId={sheet.id}
          title={sheet.about.value?.title ?? ""}
          onClose={() => setPublishing(false)}
        />
      )}
    </header>
  );
}

const MOMENT_MS = 300;

/**
 * Says what is saved; "saving" only when it takes a moment, or the words would flicker.
 *
 * It reads the signal itself: each key changes it twice, and the rest of the bar stays as it is.
 */
function State({ of }: { of: ReadonlySignal<SaveState> }) {
  const state = of.value;
  const words = documentWords();
  const [shown, show] = useState(state);
  const [spoken, speak] = useState("");
  const before = useRef(state);
  useEffect(() => {
    // Apart from the state, which changes with every key: only what matters is read out.
    if (state === "offline") speak(words.offline);
    else if (before.current === "offline") speak(words.online);
    before.current = state;
    if (state !== "saving") return show(state);
    const timer = setTimeout(() => show(state), MOMENT_MS);
    return () => clearTimeout(timer);
  }, [state]);
  return (
    <>
      <span class="state" data-state={shown}>
        {words[shown]}
      </span>
      <span class="sr-only" role="status">
        {spoken}
      </span>
    </>
  );
}
