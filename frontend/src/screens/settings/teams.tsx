/** Teams as a tree, with their members and roles. */
import { Ellipsis, Mail, Pencil, Plus, Trash2, UserMinus, UserPlus } from "lucide";
import { useState } from "preact/hooks";
import type { PagePeopleAnswer, PageTeamsAnswer } from "../../../../docs/reference/page";
import { call } from "../../api/tools";
import { useAnswer } from "../../app/answers";
import { time } from "../../app/location";
import { Button } from "../../parts/button";
import { Confirm } from "../../parts/confirm";
import { Dialog } from "../../parts/dialog";
import { Choice } from "../../parts/field";
import { FormDialog } from "../../parts/form-dialog";
import { Head } from "../../parts/head";
import { Icon } from "../../parts/icon";
import { Actions, Float, type Action } from "../../parts/menu";
import { Naming } from "../../parts/naming";
import { tell, tellError } from "../../parts/notices";
import { Shown } from "../../parts/state";
import { Inviting } from "./team-links";
import { settingsWords } from "./words";

type Team = PageTeamsAnswer["teams"][number];
type Person = PagePeopleAnswer["people"][number];
const ROLES = ["viewer", "commenter", "editor", "admin"] as const;
type Role = (typeof ROLES)[number];
type Open = { what: "add" | "rename" | "remove" | "member" | "invite"; team: Team };

export default function TeamsPart() {
  const words = settingsWords();
  const answer = useAnswer(
    async () => ({
      teams: (await call("page_teams", {})).teams,
      people: (await call("page_people", {})).people,
    }),
    [],
    () => false,
  );
  const [open, setOpen] = useState<Open | null>(null);
  const close = (): void => setOpen(null);
  const change = async (act: Promise<unknown>): Promise<void> => {
    await act.catch(tellError);
    answer.reload();
  };
  const whole = answer.value?.teams.find((team) => team.parent === null);
  return (
    <>
      <Head title={words.teams} note={words.groups.note}>
        {time.value === null && whole?.manages && (
          <Button kind="primary" icon={Plus} onClick={() => setOpen({ what: "add", team: whole })}>
            {words.groups.add}
          </Button>
        )}
      </Head>
      <Shown answer={answer}>
        {({ teams, people }) => (
          <>
            {inOrder(teams).map(({ team, above }) => (
              <TeamPanel
                key={team.id}
                team={team}
                above={above}
                open={(what) => setOpen({ what, team })}
                change={change}
              />
            ))}
            {open?.what === "member" && (
              <AddingMember
                team={teams.find((one) => one.id === open.team.id) ?? open.team}
                people={people}
                onClose={close}
                onDone={answer.reload}
              />
            )}
          </>
        )}
      </Shown>
      <h2>{words.groups.roles}</h2>
      <dl class="about panel">
        {ROLES.map((role) => (
          <RoleLine key={role} role={role} />
        ))}
      </dl>
      {open?.what === "add" && (
        <Naming
          title={words.groups.below(open.team.name)}
          label={words.name}
          button={words.add}
          onClose={close}
          make={async (name) => {
            await call("page_add_team", { name, parentId: open.team.id });
            answer.reload();
          }}
        />
      )}
      {open?.what === "rename" && (
        <Naming
          title={words.folk.renameTitle(open.team.name)}
          label={words.name}
          button={words.save}
          onClose={close}
          make={async (name) => {
            await call("page_rename_team", { teamId: open.team.id, name });
            answer.reload();
          }}
        />
      )}
      {open?.what === "invite" && <Inviting team={open.team} onClose={close} />}
      {open?.what === "remove" && (
        <Confirm
          title={words.groups.removeTitle(open.team.name)}
          button={words.remove}
          onClose={close}
          act={async () => {
            await call("page_remove_team", { teamId: open.team.id });
            tell(words.groups.removed(open.team.name));
            answer.reload();
          }}
        >
          <p>{words.groups.removeNote}</p>
        </Confirm>
      )}
    </>
  );
}

function RoleLine({ role }: { role: Role }) {
  const words = settingsWords().groups;
  return (
    <>
      <dt>{words[role]}</dt>
      <dd>{words[`${role}May`]}</dd>
    </>
  );
}

interface TeamPanelProps {
  team: Team;
  above: Team[];
  open: (what: Open["what"]) => void;
  change: (act: Promise<unknown>) => Promise<void>;
}

function TeamPanel({ team, above, open, change }: TeamPanelProps) {
  const words = settingsWords();
  const canChange = time.value === null && team.manages;
  const actions: Action[] = [
    { label: words.groups.addMember, icon: UserPlus, act: () => open("member") },
    { label: words.groups.invite, icon: Mail, act: () => open("invite") },
    { label: words.groups.add, icon: Plus, act: () => open("add") },
    { label: words.rename, icon: Pencil, act: () => open("rename") },
  ];
  if (team.parent !== null)
    actions.push({
      label: words.remove,
      icon: Trash2,
      isDangerous: true,
      act: () => open("remove"),
    });
  return (
    <section class="card-list team" aria-label={team.name}>
      <div class="line">
        <h2 class="line-main">
          {above.map((one) => (
            <span key={one.id} class="quiet-text">{`${one.name} / `}</span>
          ))}
          {team.name} {team.parent === null && <span class="tag">{words.groups.whole}</span>}
        </h2>
        {canChange && (
          <Float
            class="button quiet bare small"
            align="end"
            label={words.actions(team.name)}
            face={<Icon of={Ellipsis} />}
          >
            {(close) => <Actions of={actions} close={close} />}
          </Float>
        )}
      </div>
      {team.members.length === 0 && <p class="line quiet-text">{words.groups.empty}</p>}
      {team.members.map((one) => (
        <div key={one.id} class="line">
          <p class="line-main">
            {one.name} <span class="quiet-text">{one.email}</span>
          </p>
          {canChange ? (
            <>
              <Choice
                label={words.groups.roleOf(one.name, team.name)}
                hidesLabel
                value={one.role as Role}
                of={ROLES.map((role) => ({ value: role, label: words.groups[role] }))}
                onChange={(role) =>
                  void change(call("page_set_member", { teamId: team.id, personId: one.id, role }))
                }
              />
              <Button
                kind="quiet"
                small
                icon={UserMinus}
                label={words.groups.removeMember(one.name, team.name)}
                onClick={() =>
                  void change(call("page_remove_member", { teamId: team.id, personId: one.id }))
                }
              />
            </>
          ) : (
            <span class="tag">{words.groups[one.role as Role]}</span>
          )}
        </div>
      ))}
    </section>
  );
}

function AddingMember(given: {
  team: Team;
  people: Person[];
  onClose: () => void;
  onDone: () => void;
}) {
  const words = settingsWords();
  const inside = new Set(given.team.members.map((one) => one.id));
  const free = given.people.filter((one) => !inside.has(one.id));
  const [person, setPerson] = useState(free[0]?.id ?? "");
  const [role, setRole] = useState<Role>("editor");
  const title = words.groups.addMemberTo(given.team.name);
  const add = async (): Promise<void> => {
    await call("page_set_member", { teamId: given.team.id, personId: person, role });
    given.onDone();
  };
  if (free.length === 0)
    return (
      <Dialog title={title} onClose={given.onClose}>
        <p>{words.groups.everybody}</p>
      </Dialog>
    );
  return (
    <FormDialog title={title} button={words.add} act={add} onClose={given.onClose}>
      <Choice
        label={words.groups.person}
        value={person}
        of={free.map((one) => ({ value: one.id, label: `${one.name} (${one.email})` }))}
        onChange={setPerson}
      />
      <Choice
        label={words.groups.role}
        value={role}
        of={ROLES.map((one) => ({
          value: one,
          label: `${words.groups[one]}: ${words.groups[`${one}May`]}`,
        }))}
        onChange={setRole}
      />
    </FormDialog>
  );
}

/** The tree as a list, each team behind the one that it is below, with the teams above it. */
function inOrder(teams: readonly Team[]): { team: Team; above: Team[] }[] {
  const known = new Set(teams.map((team) => team.id));
  const below = (parent: string | null, above: Team[]): { team: Team; above: Team[] }[] =>
    teams
      .filter((team) =>
        parent === null ? team.parent === null || !known.has(team.parent) : team.parent === parent,
      )
      .flatMap((team) => [
        { team, above },
        ...below(team.id, team.parent === null ? above : [...above, team]),
      ]);
  return below(null, []);
}
