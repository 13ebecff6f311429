/** The bar above the text: the title, what is saved, who is here, and what one can do. */
import {
  Code,
  Ellipsis,
  Eye,
  History,
  Link2,
  MessageSquare,
  Paperclip,
  Share2,
  UserRoundPen,
  Users,
  Waypoints,
} from "lucide";
import { useEffect, useRef, useState } from "preact/hooks";
import { match } from "../app/routes";
import { link } from "../app/location";
import { KEPT_ENDINGS } from "../editor/uploads-types";
import { mayWrite, type SaveState } from "../live/room";
import { Button } from "../parts/button";
import { Icon } from "../parts/icon";
import { late } from "../parts/late";
import { Actions, Float, type Action } from "../parts/menu";
import { tell } from "../parts/notices";
import { People } from "../people/chips";
import { isSource, showsAuthors } from "./looks";
import type { Sheet } from "./sheet";
import { Title } from "./title";
import { documentWords } from "./words";

const Share = late(() => import("./share").then((part) => part.Share));

export interface BarProps {
  sheet: Sheet;
  isReviewShown: boolean;
  toggleReview: () => void;
}

export function Bar({ sheet, isReviewShown, toggleReview }: BarProps) {
  const words = documentWords();
  const [isSharing, setSharing] = useState(false);
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
        <State state={sheet.state.value} />
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
          {(close) => <Actions of={actionsOf(sheet, share)} close={close} />}
        </Float>
      </div>
      {isSharing && <Share sheet={sheet} onClose={() => setSharing(false)} />}
    </header>
  );
}

function actionsOf(sheet: Sheet, share: () => void): Action[] {
  const words = documentWords();
  const path = `/d/${encodeURIComponent(sheet.id)}`;
  const parts: Action[] = [
    { label: words.history, icon: History, href: link(`${path}/history`) },
    { label: words.links, icon: Waypoints, href: link(`${path}/links`) },
  ];
  return [
    ...parts.filter(({ href }) => match(new URL(href!, location.href).pathname)),
    {
      label: isSource.value ? words.preview : words.source,
      icon: isSource.value ? Eye : Code,
      act: () => (isSource.value = !isSource.value),
    },
    {
      label: showsAuthors.value ? words.noAuthors : words.authors,
      icon: UserRoundPen,
      act: () => (showsAuthors.value = !showsAuthors.value),
    },
    ...attaching(sheet),
    { label: words.readers, icon: Users, act: share },
    { label: words.copyLink, icon: Link2, act: () => void copy() },
  ];
}

/** Lets a user who may write choose a file; the late part of the editor keeps it. */
function attaching(sheet: Sheet): Action[] {
  const attach = sheet.seat.value?.attach.value;
  if (!attach || !mayWrite(sheet.role.value)) return [];
  const choose = (): void => {
    const input = document.createElement("input");
    input.type = "file";
    input.accept = KEPT_ENDINGS;
    input.addEventListener("change", () => {
      for (const file of input.files ?? []) void attach(file);
    });
    input.click();
  };
  return [{ label: documentWords().attach, icon: Paperclip, act: choose }];
}

async function copy(): Promise<void> {
  await navigator.clipboard.writeText(location.href);
  tell(documentWords().copied);
}

const MOMENT_MS = 300;

/** Says what is saved; "saving" only when it takes a moment, or the words would flicker. */
function State({ state }: { state: SaveState }) {
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
