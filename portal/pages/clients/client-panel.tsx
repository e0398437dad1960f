// Shows the clients that people connect with their marks. Each gets a limited key of its own, or signs in.
import { fetchProviders } from '../../api/auth.ts';
import { AgentMark } from '../../parts/agent-mark.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { setQuery, useLocation } from '../../router/location.ts';
import { useKept } from '../../state/use-kept.ts';
import { useResource } from '../../state/use-resource.ts';
import { connectClientTexts } from '../../texts/connect-client.ts';
import { texts } from '../../texts/texts.ts';
import { BrowserSteps } from './client-steps.tsx';
import { KNOWN_CLIENTS } from './known-clients.ts';
import { OwnKey } from './own-key.tsx';
import { mcpAddress } from './recipes.ts';
import '../../styles/keys.css';

const words = texts.clients;
const TABS = KNOWN_CLIENTS.map(({ key, label }) => ({
  key,
  label,
  icon: <AgentMark name={label} mark={key} />,
}));

/** `set` connects to the address of a set. */
export function ClientPanel({ set }: { set?: string }) {
  const { query } = useLocation();
  const providers = useResource('providers', fetchProviders);
  // Agents sign in with the hosted provider. reference: Authorize tickets
  const canSignIn = providers.data?.includes('hosted') === true;
  const [preferred, setPreferred] = useKept('client-auth', 'key');
  const client = KNOWN_CLIENTS.find(({ key }) => key === query.get('client')) ?? KNOWN_CLIENTS[0];
  if (client === undefined) return null;
  const { key, auth } = client;
  const hasChoice = auth === 'both' && canSignIn;
  const signsIn = auth === 'browser' || (hasChoice && preferred === 'browser');
  const isKnown = auth === 'key' || providers.data !== undefined || providers.error !== undefined;
  const address = mcpAddress(location.origin, null, set);
  const addressWords = set === undefined ? words.address : words.addressOfSet;

  return (
    <section class="panel client-panel" aria-labelledby="choose-client">
      <h2 id="choose-client">{words.choose}</h2>
      <Tabs label={words.choose} tabs={TABS} chosen={key} onChoose={(chosen) => setQuery({ client: chosen })}>
        {/* Waits for the providers, so that the lines do not change while the person reads. */}
        {!isKnown && <Skeleton rows={2} />}
        {isKnown && signsIn && <BrowserSteps client={client} canSignIn={canSignIn} set={set} />}
        {isKnown && !signsIn && <OwnKey key={key} client={client} set={set} />}
        {hasChoice && (
          <p class="other-way">
            <button
              type="button"
              class="link-button"
              onClick={() => setPreferred(signsIn ? 'key' : 'browser')}
            >
              {signsIn ? connectClientTexts.keyInstead : connectClientTexts.browserInstead}
            </button>
          </p>
        )}
      </Tabs>
      <div class="address">
        <h3>{addressWords}</h3>
        <CodeBlock code={address} label={addressWords} />
      </div>
    </section>
  );
}
