/** Changes the public profile of the user. */
import { useState } from "preact/hooks";
import type { PageProfileAnswer } from "../../../../docs/reference/page";
import { call } from "../../api/tools";
import { Button } from "../../parts/button";
import { Dialog } from "../../parts/dialog";
import { Field } from "../../parts/field";
import { tell, tellError } from "../../parts/notices";
import { partWords } from "../../parts/words";
import { readable } from "./publishing";
import { publishedWords } from "./words";

export type Profile = PageProfileAnswer;

export function ProfileForm(given: { profile: Profile; onClose: () => void; onDone: () => void }) {
  const words = publishedWords();
  const { profile, onClose, onDone } = given;
  const [title, setTitle] = useState(profile.title);
  const [name, setName] = useState(profile.name);
  const [about, setAbout] = useState(profile.about);
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      await call("page_set_profile", {
        title: title.trim(),
        about,
        ...(name.trim() === profile.name ? {} : { profileName: name.trim() }),
      });
      onClose();
      tell(words.saved);
      onDone();
    } catch (error) {
      tellError(error);
    }
  };
  return (
    <Dialog title={words.editProfile} onClose={onClose}>
      <form onSubmit={(event) => void save(event)}>
        <Field
          label={words.profileTitle}
          value={title}
          onInput={setTitle}
          required
          autofocus
          maxLength={200}
        />
        <Field
          label={words.profileName}
          value={name}
          onInput={setName}
          required
          maxLength={80}
          hint={words.profileNameHint(readable(profile.path))}
        />
        <Field
          label={words.about}
          value={about}
          onInput={setAbout}
          rows={4}
          maxLength={2000}
          hint={words.aboutHint}
        />
        <div class="actions">
          <Button kind="primary" submits>
            {words.save}
          </Button>
          <Button kind="quiet" onClick={onClose}>
            {partWords().cancel}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
