// Tells a person that they may use the connection of the team, for what, and lets them choose it over their own.
import { changeAccount } from '../../api/accounts.ts';
import type { TeamUse } from '../../api/integrations.ts';
import { isKnown, type WithState } from '../../connect/state.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { teamTexts } from '../../texts/team.ts';

const words = teamTexts.mine;
const ID = 'team';

interface Props {
  integration: WithState;
  team: TeamUse;
  onChange: () => void;
}

export function TeamLine({ integration, team, onChange }: Props) {
  const { displayName, name } = integration;
  const hasOwn = isKnown(integration);
  const isChosen = team.default && team.defaultForWrites;

  async function choose(isTeam: boolean): Promise<void> {
    await changeAccount(name, ID, { default: isTeam, defaultForWrites: isTeam });
    onChange();
  }

  return (
    <div class="team-line">
      <p class="muted">
        {explain(displayName, hasOwn, team)} {words.access[team.access]}
      </p>
      {team.status === 'reconnect' && <p class="connection-cause connection-refused">{words.broken}</p>}
      {hasOwn && (
        <div class="row">
          <ActionButton label={isChosen ? words.useOwn : words.use} onAct={() => choose(!isChosen)} />
        </div>
      )}
    </div>
  );
}

function explain(displayName: string, hasOwn: boolean, team: TeamUse): string {
  if (!hasOwn) return words.only(displayName);
  return team.default || team.defaultForWrites ? words.chosen(displayName) : words.beside(displayName);
}
