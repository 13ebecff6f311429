/** A thread: the words it is about, what was said, and what one can do. */
import { useState } from "preact/hooks";
import type { Comment, Reply } from "../api/types";
import { Button } from "../parts/button";
import { Byline, Card } from "./card";
import type { Desk } from "./desk";
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
      <Message said={comment} />
      {isChosen
        ? replies.map((reply) => <Message key={reply.commentId} said={reply} />)
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

function Message({ said }: { said: Reply }) {
  return (
    <div class="message">
      <Byline said={said} />
      <p class="body">{said.body}</p>
    </div>
  );
}

function ReplyForm({ comment, desk, names }: Pick<CommentCardProps, "comment" | "desk" | "names">) {
  const words = reviewWords();
  const [body, setBody] = useState("");
  const send = async (): Promise<void> => {
    if (body.trim() && (await desk.reply(comment, body.trim()))) setBody("");
  };
  return (
    <form
      class="reply"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void send();
      }}
    >
      <Mentions
        label={words.reply}
        placeholder={words.replyHere}
        value={body}
        onInput={setBody}
        names={names}
      />
      {body.trim() && (
        <Button small submits>
          {words.reply}
        </Button>
      )}
    </form>
  );
}
