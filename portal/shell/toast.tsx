// Shows what has just happened, until the person closes the message or leaves the page.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { fetchConnections, fetchIntegrations } from '../api/integrations.ts';
import { callerName } from '../parts/caller-name.ts';
import { useFocusFallback } from '../parts/focus-fallback.ts';
import { Icon } from '../parts/icon.tsx';
import { Lamp } from '../parts/lamp.tsx';
import { Link } from '../router/link.tsx';
import { useLocation } from '../router/location.ts';
import { CONNECTED, TOOK_OVER } from '../session/news.ts';
import { useWaiting } from '../state/use-approvals.ts';
import { useKept } from '../state/use-kept.ts';
import { useResource } from '../state/use-resource.ts';
import { texts } from '../texts/texts.ts';
import { JUST_ASKED, toolOf } from './approval-notices.ts';

const NOBODY: readonly string[] = [];

export function Toast() {
  const [name, setName] = useKept<string>(CONNECTED, '');
  const [tookOver, setTookOver] = useKept<boolean>(TOOK_OVER, false);
  const [asked, setAsked] = useKept(JUST_ASKED, NOBODY);
  return (
    <div class="toast-place" role="status">
      {name !== '' && <ConnectedToast key={name} name={name} onClose={() => setName('')} />}
      {tookOver && <TookOverToast onClose={() => setTookOver(false)} />}
      {asked.length > 0 && <AskedToast key={asked.join(' ')} ids={asked} onClose={() => setAsked(NOBODY)} />}
    </div>
  );
}

/** Tells whether the person comes from connecting an integration. */
export function useJustConnected(): boolean {
  const [name] = useKept<string>(CONNECTED, '');
  return name !== '';
}

/** Leaving the page closes the message. */
function useLeaving(onClose: () => void): void {
  const { path } = useLocation();
  const from = useRef(path);
  useEffect(() => {
    if (path !== from.current) onClose();
  }, [path]);
}

function TookOverToast({ onClose }: { onClose: () => void }) {
  useLeaving(onClose);
  return (
    <Message onClose={onClose}>
      <Lamp colour="amber">{texts.signIn.tookOver}</Lamp>
    </Message>
  );
}

/** Disappears by itself once nothing of it waits any more. */
function AskedToast({ ids, onClose }: { ids: readonly string[]; onClose: () => void }) {
  useLeaving(onClose);
  const asked = useWaiting().data?.filter(({ id }) => ids.includes(id)) ?? [];
  const [first] = asked;
  if (first === undefined) return null;
  const isOne = asked.length === 1;
  return (
    <Message onClose={onClose}>
      <Lamp colour="amber">
        {isOne
          ? texts.asking.one(capitalize(callerName(first.caller)), toolOf(first))
          : texts.asking.several(asked.length)}
      </Lamp>
      <Link href={isOne ? `/approvals/${first.id}` : '/approvals'} class="button">
        {texts.asking.look}
      </Link>
    </Message>
  );
}

const capitalize = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

function Message({ onClose, children }: { onClose: () => void; children: ComponentChildren }) {
  const toast = useRef<HTMLDivElement>(null);
  useFocusFallback(toast);
  return (
    <div ref={toast} class="toast">
      {children}
      <button type="button" class="icon-button" aria-label={texts.actions.close} onClick={onClose}>
        <Icon name="close" />
      </button>
    </div>
  );
}

function ConnectedToast({ name, onClose }: { name: string; onClose: () => void }) {
  useLeaving(onClose);
  const integrations = useResource('integrations', fetchIntegrations);
  const connections = useResource('connections', fetchConnections);
  const integration = integrations.data?.find((each) => each.name === name);
  // Anyone can write a name into the address, so the gateway has to confirm the connection.
  const connected = connections.data?.some((each) => each.name === name && each.connected);
  if (integration === undefined || connected !== true) return null;
  return (
    <Message onClose={onClose}>
      <Lamp colour="green">{texts.connect.connected(integration.displayName)}</Lamp>
    </Message>
  );
}
