/** Sentences of the server, in which commands are written between backticks. */

export function Commands({ text }: { text: string }) {
  return (
    <>
      {text
        .split(/`([^`]+)`/u)
        .map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}
    </>
  );
}

/** What the server says of an error in English, below the same in the language of the page. */
export function Said({ text }: { text: string | undefined }) {
  if (!text) return null;
  return (
    <p class="quiet-text" lang="en">
      <Commands text={text} />
    </p>
  );
}
