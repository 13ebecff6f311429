/** What one can do with a document, in the menu of its bar: loaded when the menu is opened. */
import {
  Code,
  Eye,
  Globe,
  History,
  Link2,
  Paperclip,
  PencilLine,
  UserRoundPen,
  Users,
  Waypoints,
} from "lucide";
import { link } from "../app/location";
import { may } from "../app/me";
import { KEPT_ENDINGS } from "../editor/uploads-types";
import { mayWrite } from "../live/room";
import { Actions, type Action } from "../parts/menu";
import { tell } from "../parts/notices";
import { actionWords } from "./action-words";
import { isSource, showsAuthors } from "./looks";
import type { Sheet } from "./sheet";
import { suggestingWords } from "./suggesting-words";

export interface DocumentActionsProps {
  sheet: Sheet;
  share: () => void;
  publish: () => void;
  close: () => void;
}

export function DocumentActions({ close, ...given }: DocumentActionsProps) {
  return <Actions of={actionsOf(given)} close={close} />;
}

function actionsOf({ sheet, share, publish }: Omit<DocumentActionsProps, "close">): Action[] {
  const words = actionWords();
  const role = sheet.role.value;
  const mayPublish = (role === "owner" || role === "admin") && may("publish_document");
  const path = `/d/${encodeURIComponent(sheet.id)}`;
  return [
    { label: words.history, icon: History, href: link(`${path}/history`) },
    { label: words.links, icon: Waypoints, href: link(`${path}/links`) },
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
    ...suggesting(sheet),
    ...attaching(sheet),
    { label: words.readers, icon: Users, act: share },
    { label: words.copyLink, icon: Link2, act: () => void copy() },
    ...(mayPublish ? [{ label: words.publish, icon: Globe, act: publish }] : []),
  ];
}

/** Lets everybody who may comment write suggestions by editing a copy of the text. */
function suggesting({ role, seat, isSuggesting }: Sheet): Action[] {
  if (role.value === "viewer" || !seat.value?.room.isSynced) return [];
  const act = (): void => void (isSuggesting.value = !isSuggesting.value);
  const words = suggestingWords();
  const label = isSuggesting.value ? words.leaveSuggesting : words.suggestMode;
  return [{ label, icon: PencilLine, act }];
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
  return [{ label: actionWords().attach, icon: Paperclip, act: choose }];
}

async function copy(): Promise<void> {
  await navigator.clipboard.writeText(location.href);
  tell(actionWords().copied);
}
