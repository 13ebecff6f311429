/** A sentence of the server in which commands are written between backticks. */

export function Commands({ text }: { text: string }) {
  return (
    <>
      {text
        .split(/`([^`]+)`/u)
        .map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}
    </>
  );
}
