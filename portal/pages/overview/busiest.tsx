// Lists the busiest integrations, tools and agents, and why calls did not succeed. Rows lead to the calls.
import type { Integration } from '../../api/integrations.ts';
import { type Calls, OTHER, type Usage, type UsedAgent } from '../../api/usage.ts';
import { displayNameOf } from '../../parts/display-name.ts';
import { Logo } from '../../parts/logo.tsx';
import { plainName } from '../../parts/plain-name.ts';
import { overviewTexts as words } from '../../texts/overview.ts';
import { BarList, type BarRow } from './bar-list.tsx';
import { sumOf } from './figures.ts';

const ROWS = 6;
const FAILED = { success: 'false' };

interface Props {
  usage: Usage;
  of: 'everybody' | undefined;
  integrations: readonly Integration[] | undefined;
}

export function Busiest({ usage, of, integrations }: Props) {
  const callsOf = (filter: Record<string, string>) =>
    `/activity?${new URLSearchParams({ ...(of === undefined ? {} : { of }), range: usage.range, ...filter }).toString()}`;
  const names = (name: string) => displayNameOf(name, integrations);
  const logoOf = (name: string) => integrations?.find((each) => each.name === name)?.logo ?? null;

  return (
    <div class="overview-lists">
      <List
        title={words.integrations}
        rows={usage.integrations.map(({ integration, ...calls }) =>
          integration === OTHER
            ? rest(calls)
            : {
                ...counted(calls, callsOf({ integration, ...FAILED })),
                key: integration,
                href: callsOf({ integration }),
                name: (
                  <>
                    <Logo src={logoOf(integration)} name={names(integration)} />
                    <span>{names(integration)}</span>
                  </>
                ),
              },
        )}
      />
      <List
        title={words.tools}
        rows={usage.tools.map(({ integration, tool, ...calls }) =>
          tool === OTHER
            ? rest(calls)
            : {
                ...counted(calls, callsOf({ integration, tool, ...FAILED })),
                key: `${integration} ${tool}`,
                href: callsOf({ integration, tool }),
                name: <span class="bar-tool">{tool}</span>,
              },
        )}
      />
      <List
        title={words.agents}
        rows={usage.agents.map((agent) =>
          agent.actor === OTHER
            ? rest(agent)
            : {
                ...counted(
                  agent,
                  hasOwnCalls(agent) ? callsOf({ client: agent.actor, ...FAILED }) : undefined,
                ),
                key: agent.actor,
                ...(hasOwnCalls(agent) ? { href: callsOf({ client: agent.actor }) } : {}),
                name: <span>{agentName(agent, of)}</span>,
              },
        )}
      />
      <List
        title={words.causes}
        empty={words.noCauses}
        rows={usage.causes.map(({ cause, calls }) => ({
          key: cause,
          href: callsOf({ view: 'failures' }),
          name: <span>{words.causeNames[cause]}</span>,
          calls,
        }))}
      />
    </div>
  );
}

function List({ title, rows, empty }: { title: string; rows: readonly BarRow[]; empty?: string }) {
  if (rows.length === 0 && empty === undefined) return null;
  return (
    <section class="panel">
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <p class="muted">{empty}</p>
      ) : (
        <BarList label={title} rows={rows.slice(0, ROWS)} />
      )}
    </section>
  );
}

function counted(calls: Calls, noteHref?: string): Pick<BarRow, 'calls' | 'note' | 'noteHref'> {
  const notOk = calls.failed + calls.refused;
  return { calls: sumOf(calls), ...(notOk === 0 ? {} : { note: words.notOk(notOk), noteHref }) };
}

const rest = (calls: Calls): BarRow => ({
  key: OTHER,
  name: <span>{words.others}</span>,
  calls: sumOf(calls),
});

/** An audit row names a caller, but not all keys of all people. */
const hasOwnCalls = ({ actor }: UsedAgent) => actor !== '' && actor !== 'key:';

function agentName({ kind, name }: UsedAgent, of: Props['of']): string {
  const shown = plainName(name ?? '');
  if (shown !== '') return shown;
  const { session, key, agentKey } = of === undefined ? words.callers : words.callersOfAll;
  switch (kind) {
    case 'session':
      return session;
    case 'key':
      return key;
    case 'agent-key':
      return agentKey;
    case 'client':
      return words.callers.client;
    case 'other':
      return words.callers.other;
  }
}
