// Lists what the person has to do, so that agents can go on: connections, approvals, changed services, and what is noticed
// in the counted calls.
import { useState } from 'preact/hooks';
import { fetchNamedKeys } from '../../api/agent-keys.ts';
import { fetchAgents } from '../../api/agents.ts';
import { fetchIntegrations } from '../../api/integrations.ts';
import { fetchAgentsUsage } from '../../api/usage.ts';
import { hasReview, withState, type WithState } from '../../connect/state.ts';
import { displayNameOf } from '../../parts/display-name.ts';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { Logo } from '../../parts/logo.tsx';
import { Link } from '../../router/link.tsx';
import { useWaiting } from '../../state/use-approvals.ts';
import { useConnections } from '../../state/use-connections.ts';
import { useImports } from '../../state/use-imports.ts';
import { useResource } from '../../state/use-resource.ts';
import { overviewTexts as words } from '../../texts/overview.ts';
import { useIgnored } from './ignored.ts';
import { notice } from './noticed.ts';

/** The panel shows so many lines, because the calls below it matter too. A button shows the rest. */
const FEW = 4;

interface Item {
  href: string;
  icon: IconName;
  text: string;
}

export function AttentionPanel() {
  const integrations = useResource('integrations', fetchIntegrations);
  const connections = useConnections();
  const imports = useImports();
  const waiting = useWaiting().data?.length ?? 0;
  const all = withState(integrations.data ?? [], connections.data ?? [], imports.data?.imports);
  const items = [
    ...(waiting === 0
      ? []
      : [{ href: '/approvals', icon: 'approvals', text: words.approvals(waiting) } as const]),
    ...all.flatMap(itemsOf),
  ];
  const usage = useResource('agents usage', fetchAgentsUsage);
  const keys = useResource('named keys', fetchNamedKeys);
  const agents = useResource('agents', fetchAgents);
  const { isIgnored, ignore } = useIgnored();
  const noticed = notice({
    usage: usage.data,
    keys: keys.data ?? [],
    agents: agents.data ?? [],
    nameOf: (name) => displayNameOf(name, integrations.data),
    now: Math.floor(Date.now() / 1000),
  }).filter(({ id }) => !isIgnored(id));
  const [isWhole, setWhole] = useState(false);
  // One more line is shorter than the button that hides it.
  const shown = isWhole || noticed.length <= FEW + 1 ? noticed : noticed.slice(0, FEW);
  const marks = new Map(all.map(({ name, logo }) => [name, logo]));
  return (
    <section class="panel overview-attention" aria-labelledby="needs-attention">
      <h2 id="needs-attention">{words.attention}</h2>
      {items.length + noticed.length === 0 ? (
        <p class="attention-none">
          <Icon name="check" />
          {words.nothing}
        </p>
      ) : (
        <ul class="attention-list">
          {items.map(({ href, icon, text }) => (
            <li key={text}>
              <Link href={href}>
                <Icon name={icon} />
                {text}
              </Link>
            </li>
          ))}
          {shown.map(({ id, text, why, href, action, integration }) => (
            <li key={id} class="attention-noticed">
              {integration === undefined ? (
                <Icon name="agents" />
              ) : (
                <Logo
                  src={marks.get(integration) ?? null}
                  name={displayNameOf(integration, integrations.data)}
                />
              )}
              <p>
                {text}
                {why !== undefined && <span class="muted">{why}</span>}
              </p>
              <p class="attention-acts">
                <Link href={href} aria-label={words.actOn(action, text)}>
                  {action}
                </Link>
                <button
                  type="button"
                  class="link-button quiet-button"
                  aria-label={words.ignoreOf(text)}
                  onClick={() => ignore(id)}
                >
                  {words.ignore}
                </button>
              </p>
            </li>
          ))}
        </ul>
      )}
      {shown.length < noticed.length && (
        <button type="button" class="link-button attention-more" onClick={() => setWhole(true)}>
          {words.moreNoticed(noticed.length - shown.length)}
        </button>
      )}
    </section>
  );
}

function itemsOf(integration: WithState): Item[] {
  const { name, displayName, status, health } = integration;
  const at = { href: `/integrations/${encodeURIComponent(name)}`, icon: 'integrations' } as const;
  const items: Item[] = [];
  if (status === 'reconnect') items.push({ ...at, text: words.reconnect(displayName) });
  else if (status === 'unreachable') items.push({ ...at, text: words.unreachable(displayName) });
  else if (status !== undefined && health === 'expiring')
    items.push({ ...at, text: words.expiring(displayName) });
  if (integration.imported?.editable === true && hasReview(integration))
    items.push({ ...at, icon: 'refresh', text: words.review(displayName) });
  return items;
}
