/** The first steps: a name, a client, an example. Each goes away when it is done or dismissed. */
import { FlaskConical, Plug, User, X } from "lucide";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { call } from "../../api/tools";
import { useAnswer } from "../../app/answers";
import { ask, branch, go, link, time } from "../../app/location";
import { learnWhoIAm, me } from "../../app/me";
import { language } from "../../app/settings";
import { Button } from "../../parts/button";
import { Field } from "../../parts/field";
import { Icon, type IconNode } from "../../parts/icon";
import { tell, tellError } from "../../parts/notices";
import { inboxWords } from "./words";

const EXAMPLE = "example";

export function Welcome() {
  const words = inboxWords();
  const answer = useAnswer(
    () => call("page_welcome", {}),
    [],
    () => false,
  );
  const found = answer.value;
  if (!found || time.value !== null) return null;
  const dismiss = async (hint: string): Promise<void> => {
    await call("page_dismiss", { hint }).catch(tellError);
    answer.reload();
  };
  const isOpen = (hint: string): boolean => !found.dismissed.includes(hint);
  const cards = [
    isOpen("name") && !found.isNamed && (
      <NameCard key="name" onDone={answer.reload} onDismiss={() => void dismiss("name")} />
    ),
    isOpen("client") && !found.hasCalled && (
      <Card
        key="client"
        icon={Plug}
        title={words.welcome.client}
        onDismiss={() => void dismiss("client")}
      >
        <p>{words.welcome.clientNote}</p>
        <a class="button small" href={link("/settings/clients")}>
          {words.welcome.clientGo}
        </a>
      </Card>
    ),
    isOpen("example") && found.hasExample !== null && (
      <ExampleCard
        key="example"
        isThere={found.hasExample}
        onDone={answer.reload}
        onDismiss={() => void dismiss("example")}
      />
    ),
  ].filter(Boolean);
  if (cards.length === 0) return null;
  return (
    <section class="welcome" aria-label={words.welcome.title}>
      {cards}
    </section>
  );
}

interface CardProps {
  icon: IconNode;
  title: string;
  onDismiss: () => void;
  children: ComponentChildren;
}

function Card({ icon, title, onDismiss, children }: CardProps) {
  return (
    <article class="panel welcome-card">
      <h2>
        <Icon of={icon} /> {title}
      </h2>
      <Button
        kind="quiet"
        small
        class="dismiss"
        icon={X}
        label={inboxWords().welcome.dismiss(title)}
        onClick={onDismiss}
      />
      {children}
    </article>
  );
}

interface StepProps {
  onDone: () => void;
  onDismiss: () => void;
}

function NameCard({ onDone, onDismiss }: StepProps) {
  const words = inboxWords().welcome;
  const [name, setName] = useState("");
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      const personId = me.peek()?.person.id ?? "";
      await call("page_rename_person", { personId, name: name.trim() });
      await learnWhoIAm();
      tell(words.nameSaved(name.trim()));
      onDone();
    } catch (error) {
      tellError(error);
    }
  };
  return (
    <Card icon={User} title={words.name} onDismiss={onDismiss}>
      <form onSubmit={(event) => void save(event)}>
        <Field label={words.nameNote} value={name} onInput={setName} required maxLength={200} />
        <Button small submits>
          {words.nameSave}
        </Button>
      </form>
    </Card>
  );
}

function ExampleCard({ isThere, onDone, onDismiss }: StepProps & { isThere: boolean }) {
  const words = inboxWords().welcome;
  const [isBusy, setBusy] = useState(false);
  const run = async (act: () => Promise<void>): Promise<void> => {
    setBusy(true);
    await act().catch(tellError);
    setBusy(false);
    onDone();
  };
  const make = async (): Promise<void> => {
    await call("page_make_example", { language: language.peek() }, { branch: null });
    go(link("/", { branch: EXAMPLE }));
  };
  const remove = async (): Promise<void> => {
    await call("page_remove_example", {}, { branch: null });
    if (branch.peek() === EXAMPLE) ask({ branch: null });
    tell(words.exampleGone);
  };
  return (
    <Card icon={FlaskConical} title={words.example} onDismiss={onDismiss}>
      <p>{isThere ? words.exampleThere : words.exampleNote}</p>
      <div class="actions">
        {isThere ? (
          <>
            {branch.value !== EXAMPLE && (
              <a class="button small" href={link("/", { branch: EXAMPLE })}>
                {words.exampleOpen}
              </a>
            )}
            <Button small kind="danger" disabled={isBusy} onClick={() => void run(remove)}>
              {words.exampleRemove}
            </Button>
          </>
        ) : (
          <Button small disabled={isBusy} onClick={() => void run(make)}>
            {words.exampleMake}
          </Button>
        )}
      </div>
    </Card>
  );
}
