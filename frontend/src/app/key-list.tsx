/** The keys of the screen, in a dialog. */
import { Dialog } from "../parts/dialog";
import { frameWords } from "./frame-words";
import { keys, shortcut } from "./keys";

export function KeyList({ onClose }: { onClose: () => void }) {
  const words = frameWords();
  const all = [{ keys: shortcut(), label: words.keyFind }, ...keys.value];
  return (
    <Dialog title={words.keysTitle} onClose={onClose}>
      <dl class="key-list">
        {all.map((key) => (
          <div key={`${key.keys} ${key.label}`}>
            <dt>
              {key.keys.split(" ").map((one) => (
                <kbd key={one}>{one}</kbd>
              ))}
            </dt>
            <dd>{key.label}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
