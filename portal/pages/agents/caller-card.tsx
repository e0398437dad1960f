// Renders the card of one agent: who it is, what it did today and what it may do.
import type { Integration } from '../../api/integrations.ts';
import type { AgentsUsage } from '../../api/usage.ts';
import { AgentMark } from '../../parts/agent-mark.tsx';
import { displayNameOf } from '../../parts/display-name.ts';
import { Lamp } from '../../parts/lamp.tsx';
import { Logo } from '../../parts/logo.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { Link } from '../../router/link.tsx';
import { agentPagesTexts as words } from '../../texts/agent-pages.ts';
import { type Caller, pathOf, stopOf } from './callers.ts';
import { Spark } from './spark.tsx';

const MOST_LOGOS = 4;
const QUIET: readonly number[] = Array.from({ length: 24 }, () => 0);

interface Props {
  caller: Caller;
  usage: AgentsUsage | undefined;
  integrations: readonly Integration[] | undefined;
}

export function CallerCard({ caller, usage, integrations }: Props) {
  const { actor, technique, name, limits, usedAt } = caller;
  const did = usage?.agents.find((each) => each.actor === actor);
  const calls = did === undefined ? 0 : did.ok + did.failed + did.refused;
  const stop = stopOf(caller);
  return (
    <li class="card caller-card">
      <AgentMark name={name} />
      <div class="card-words">
        <h2>
          <Link href={pathOf(caller)}>{name}</Link>
        </h2>
        <p class="caller-how">
          {words.techniques[technique]}
          {stop !== undefined && <Lamp colour={stop === 'paused' ? 'amber' : 'red'}>{words[stop]}</Lamp>}
          {stop === undefined && usedAt !== undefined && (
            <span>
              {usedAt === null ? (
                words.neverUsed
              ) : (
                <>
                  {words.used} <RelativeTime at={usedAt} />
                </>
              )}
            </span>
          )}
        </p>
      </div>
      <div class="caller-did">
        <Spark hours={did?.hours ?? QUIET} />
        <p>
          <span>{words.today(calls)}</span>
          {did !== undefined && did.failed > 0 && (
            <span class="caller-failed">{words.failed(did.failed)}</span>
          )}
        </p>
      </div>
      <div class="caller-may">
        <span>{words.levels[limits.access ?? 'destroy']}</span>
        <Logos names={limits.integrations} integrations={integrations} />
      </div>
    </li>
  );
}

function Logos({
  names,
  integrations,
}: {
  names: readonly string[] | undefined;
  integrations: readonly Integration[] | undefined;
}) {
  if (names === undefined) return <span class="muted">{words.everything}</span>;
  const shown = names.slice(0, MOST_LOGOS);
  return (
    <span class="caller-logos">
      {shown.map((name) => {
        const shownName = displayNameOf(name, integrations);
        return (
          <span key={name} title={shownName}>
            <Logo src={integrations?.find((each) => each.name === name)?.logo ?? null} name={shownName} />
            <span class="visually-hidden">{shownName}</span>
          </span>
        );
      })}
      {names.length > MOST_LOGOS && <span class="muted">+{names.length - MOST_LOGOS}</span>}
    </span>
  );
}
