/** Changes the public profile of the user. */
import { useState } from "preact/hooks";
import type { PageProfileAnswer } from "../../../../docs/reference/page";
import { call } from "../../api/tools";
import { Field } from "../../parts/field";
import { FormDialog } from "../../parts/form-dialog";
import { tell } from "../../parts/notices";
import { readable } from "./publishing";
import { publishedWords } from "./words";

export type Profile = PageProfileAnswer;

export function ProfileForm(given: { profile: Profile; onClose: () => void; onDone: () => void }) {
  const words = publishedWords();
  const { profile, onClose, onDone } = given;
  const [title, setTitle] = useState(profile.title);
  const [name, setName] = useState(profile.name);
  const [about, setAbout] = useState(profile.about);
  const save = async (): Promise<void> => {
    await call("page_set_profile", {
      title: title.trim(),
      about,
      ...(name.trim() === profile.name ? {} : { profileName: name.trim() }),
    });
    tell(words.saved);
    onDone();
  };
  return (
    <FormDialog title={words.editProfile} button={words.save} act={save} onClose={onClose}>
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
    </FormDialog>
  );
}
