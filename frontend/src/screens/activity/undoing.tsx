/** Says what taking a run back would do, and does it: what others changed since stays. */
import { Undo2 } from "lucide";
import { useState } from "preact/hooks";
import { call } from "../../api/tools";
import { useAnswer } from "../../app/answers";
import { Button } from "../../parts/button";
import { Dialog } from "../../parts/dialog";
import { tell, tellError } from "../../parts/notices";
import { Shown } from "../../parts/state";
import { When } from "../../parts/time";
import { Who } from "../../parts/who";
import { partWords } from "../../parts/words";
import type { Run } from "./screen";
import { activityWords } from "./words";

export function Undoing(given: { run: Run; onClose: () => void; onDone: () => void }) {
  const words = activityWords();
  const versions = given.run.commits;
  const [isBusy, setBusy] = useState(false);
  const answer = useAnswer(
    () => call("page_revert", { versions, preview: true, leavesRest: true }),
    [versions],
  );
  const undo = async (): Promise<void> => {
    setBusy(true);
    try {
      const done = await call("page_revert", { versions, leavesRest: true });
      tell(words.done(done.back.length));
      given.onClose();
      given.onDone();
    } catch (error) {
      tellError(error);
      answer.reload();
    }
    setBusy(false);
  };
  return (
    <Dialog title={words.undoTitle} onClose={given.onClose}>
      <Shown answer={answer}>
        {({ back, kept, eventsKept }) => (
          <>
            {back.length === 0 ? (
              <p>{words.nothing}</p>
            ) : (
              <section>
                <p>{words.goesBack(back.length)}</p>
                <ul class="undo-list">
                  {back.map((one) => (
                    <li key={`${one.group} ${one.title} ${one.action}`}>{one.title}</li>
                  ))}
                </ul>
              </section>
            )}
            {kept.length > 0 && (
              <section>
                <p>{words.stays(kept.length)}</p>
                <ul class="undo-list">
                  {kept.map((one) => (
                    <li key={`${one.group} ${one.title}`}>
                      {one.title} <Who {...one.who} /> {one.changed && <When at={one.changed} />}
                    </li>
                  ))}
                </ul>
              </section>
            )}
            {eventsKept > 0 && <p class="quiet-text">{words.events(eventsKept)}</p>}
            <div class="actions">
              <Button
                kind="primary"
                icon={Undo2}
                disabled={back.length === 0 || isBusy}
                onClick={() => void undo()}
              >
                {kept.length > 0 ? words.confirmRest : words.confirm}
              </Button>
              <Button kind="quiet" onClick={given.onClose}>
                {partWords().cancel}
              </Button>
            </div>
          </>
        )}
      </Shown>
    </Dialog>
  );
}
