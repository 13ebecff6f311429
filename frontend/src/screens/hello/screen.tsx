/** The first visit: the code in the address signs this browser in, once. */
import { useEffect, useState } from "preact/hooks";
import { ToolError, sendHello } from "../../api/tools";
import { Empty } from "../../parts/state";
import { helloWords } from "./words";

export default function HelloScreen() {
  const words = helloWords();
  const [refusal, refuse] = useState<ToolError | null>(null);
  useEffect(() => {
    const code = location.hash.slice(1);
    // The code is gone from the address, and from the history, before anything else happens.
    history.replaceState(null, "", "/hello");
    document.title = `${words.title} – Strata`;
    sendHello(code).then(
      () => location.replace("/"),
      (error: ToolError) => refuse(error),
    );
  }, []);
  return (
    <main class="screen">
      <Empty title={refusal ? words.refused : words.title} isWhole>
        {refusal ? (
          <>
            <p>{words.refusedHint}</p>
            <a class="button primary" href="/sign-in">
              {words.signIn}
            </a>
          </>
        ) : (
          <p role="status">{words.opening}</p>
        )}
      </Empty>
    </main>
  );
}
