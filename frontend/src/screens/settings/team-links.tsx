/** Invitations to a team by a link. */
import type { PageTeamsAnswer } from "../../../../docs/reference/page";
import { call } from "../../api/tools";
import { useAnswer } from "../../app/answers";
import { changing, Invitations } from "../../document/share-links";
import "../../document/share.css";
import { Dialog } from "../../parts/dialog";
import { Shown } from "../../parts/state";
import { settingsWords } from "./words";

type Team = PageTeamsAnswer["teams"][number];

/** The links that let others into a team. */
export function Inviting({ team, onClose }: { team: Team; onClose: () => void }) {
  const words = settingsWords();
  const teamId = team.id;
  const answer = useAnswer(
    () => call("page_team_links", { teamId }),
    [teamId],
    () => false,
  );
  return (
    <Dialog title={words.groups.inviteTo(team.name)} onClose={onClose} class="share">
      <Shown answer={answer}>
        {({ links, admits }) => (
          <Invitations
            links={links}
            admits={admits}
            make={(given) => call("page_make_team_link", { teamId, ...given })}
            change={changing(answer)}
          />
        )}
      </Shown>
    </Dialog>
  );
}
