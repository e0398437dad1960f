// Lists the connections of the team: who may use them, for what, and how they do.
import type { TeamConnection } from '../../api/team.ts';
import { AccountLamp } from '../../parts/account-lamp.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { Row } from '../../parts/row.tsx';
import { Link } from '../../router/link.tsx';
import { teamTexts as words } from '../../texts/team.ts';

interface Props {
  connections: readonly TeamConnection[];
  nameOf: (integration: string) => string;
}

export function TeamRows({ connections, nameOf }: Props) {
  return (
    <section class="section" aria-labelledby="team-connections">
      <h2 id="team-connections" class="section-title">
        {words.list}
      </h2>
      <p class="section-note">{words.listLead}</p>
      {connections.length === 0 ? (
        <p class="muted">{words.listNone}</p>
      ) : (
        <ul class="rows" aria-label={words.list}>
          {connections.map((team) => (
            <TeamRow key={team.integration} team={team} name={nameOf(team.integration)} />
          ))}
        </ul>
      )}
    </section>
  );
}

function TeamRow({ team, name }: { team: TeamConnection; name: string }) {
  const { access, account, connectedBy, integration, lastUsedAt, status = 'unverified', who } = team;
  const people = who === 'everyone' ? words.mayUse.everyone : words.mayUse.people(who.length);
  return (
    <Row
      name={<Link href={`/integrations/${encodeURIComponent(integration)}`}>{name}</Link>}
      heading="h3"
      facts={
        <>
          {people} · {words.accessChoices[access].name} · {words.connectedBy}{' '}
          {connectedBy?.email ?? words.somebody} ·{' '}
          {lastUsedAt === undefined ? (
            words.neverUsed
          ) : (
            <>
              {words.lastUsed} <RelativeTime at={lastUsedAt} />
            </>
          )}
        </>
      }
    >
      <p class="account-marks">
        <AccountLamp status={status} />
        {account !== undefined && <span class="agent-id">{account.label}</span>}
      </p>
    </Row>
  );
}
