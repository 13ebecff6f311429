/** A thread: the words it is about, what was said, and what one can do. */
import { useRef, useState } from "preact/hooks";
import type { Comment, Reply } from "../api/types";
import { Button } from "../parts/button";
import { Byline, Card } from "./card";
import type { Desk } from "./desk";
import { useDraft, useSending } from "./drafts";
import { Mentions } from "./mentions";
import { reviewWords } from "./words";

export interface CommentCardProps {
  comment: Comment;
  desk: Desk;
  isChosen: boolean;
  onChoose: () => void;
  names: () => readonly string[];
}

export function CommentCard({ comment, desk, isChosen, onChoose, names }: CommentCardProps) {
  const words = reviewWords();
  const isOpen = comment.status === "active";
  const replies = comment.replies ?? [];
  const shared = { desk, names, isChosen };
  return (
    <Card
      id={comment.commentId}
      label={words.commentBy(comment.author)}
      isChosen={isChosen}
      onChoose={onChoose}
      class={isOpen ? "" : "is-resolved"}
    >
      {comment.quotedText && <blockquote>{comment.quotedText}</blockquote>}
      {comment.orphaned && <p class="gone">{words.wordsGone}</p>}
      {comment.currentText && <p class="gone">{words.wordsChanged(comment.currentText)}</p>}
      <Message said={comment} {...shared} isDeleted={comment.deleted ?? false} />
      {isChosen
        ? replies.map((reply) => <Message key={reply.commentId} said={reply} {...shared} />)
        : replies.length > 0 && <p class="folded-note">{words.replies(replies.length)}</p>}
      {isChosen && desk.mayComment() && (
        <>
          {isOpen && <ReplyForm comment={comment} desk={desk} names={names} />}
          <div class="actions">
            <Button
              small
              kind="quiet"
              onClick={() => void desk.settle(comment, isOpen ? "resolve" : "reopen")}
            >
              {isOpen ? words.resolve : words.reopen}
            </Button>
          </div>
        </>
      )}
    </Card>
  );
}

interface MessageProps {
  said: Reply;
  desk: Desk;
  names: () => readonly string[];
  isChosen: boolean;
  isDeleted?: boolean;
}

/** What one user said. Its author may change it and take it back. */
function Message({ said, desk, names, isChosen, isDeleted = false }: MessageProps) {
  const words = reviewWords();
  const [doing, setDoing] = useState<"reading" | "editing" | "deleting">("reading");
  const place = useRef<HTMLDivElement>(null);
  const back = (): void => {
    setDoing("reading");
    // The control that had the focus is gone: the card keeps the user's place.
    place.current?.closest<HTMLElement>(".card")?.focus();
  };
  if (isDeleted) return <p class="message folded-note">{words.deleted}</p>;
  const isIdle = doing === "reading" || !isChosen;
  return (
    <div class="message" ref={place}>
      <Byline said={said} />
      {doing === "editing" && isChosen ? (
        <EditForm said={said} desk={desk} names={names} onClose={back} />
      ) : (
        <p class="body">{said.body}</p>
      )}
      {doing === "deleting" && isChosen && (
        <div class="actions" role="group" aria-label={words.deleteAsked}>
          <span class="quiet-text">{words.deleteAsked}</span>
          <Button
            small
            kind="danger"
            onClick={() => void desk.remove(said).then((isGone) => isGone && back())}
          >
            {words.delete}
          </Button>
          <Button small kind="quiet" onClick={back}>
            {words.cancel}
          </Button>
        </div>
      )}
      {isIdle && isChosen && desk.mayDelete(said) && (
        <div class="actions own">
          {desk.isMine(said) && (
            <Button small kind="quiet" onClick={() => setDoing("editing")}>
              {words.edit}
            </Button>
          )}
          <Button small kind="quiet" onClick={() => setDoing("deleting")}>
            {words.delete}
          </Button>
        </div>
      )}
    </div>
  );
}

interface EditFormProps extends Pick<MessageProps, "said" | "desk" | "names"> {
  onClose: () => void;
}

function EditForm({ said, desk, names, onClose }: EditFormProps) {
  const words = reviewWords();
  const { text, set, drop } = useDraft(desk.board.drafts, `edit ${said.commentId}`, said.body);
  const close = (): void => {
    drop();
    onClose();
  };
  const [isBusy, send] = useSending(async () => {
    const body = text.trim();
    if (body && (body === said.body || (await desk.edit(said, body)))) close();
  });
  return (
    <form
      class="reply"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) send();
        if (event.key === "Escape") close();
      }}
    >
      <Mentions
        label={words.edit}
        placeholder={words.commentHere}
        value={text}
        rows={3}
        autofocus
        required
        onInput={set}
        names={names}
      />
      <div class="actions">
        <Button small kind="primary" submits disabled={isBusy}>
          {words.save}
        </Button>
        <Button small kind="quiet" onClick={close}>
          {words.cancel}
        </Button>
      </div>
    </form>
  );
}

function ReplyForm({ comment, desk, names }: Pick<CommentCardProps, "comment" | "desk" | "names">) {
  const words = reviewWords();
  const { text, set, drop } = useDraft(desk.board.drafts, `reply ${comment.commentId}`);
  const [isBusy, send] = useSending(async () => {
    if (text.trim() && (await desk.reply(comment, text.trim()))) drop();
  });
  return (
    <form
      class="reply"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) send();
      }}
    >
      <Mentions
        label={words.reply}
        placeholder={words.replyHere}
        value={text}
        onInput={set}
        names={names}
      />
      {text.trim() && (
        <Button small submits disabled={isBusy}>
          {words.reply}
        </Button>
      )}
    </form>
  );
}
