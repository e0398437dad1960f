// Shows a tab for each client, with the lines that connect it.
import type { ComponentType } from 'preact';
import { fetchProviders } from '../../api/auth.ts';
import { Chips } from '../../parts/chips.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Lamp } from '../../parts/lamp.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { setQuery, useLocation } from '../../router/location.ts';
import { useKept } from '../../state/use-kept.ts';
import { useResource } from '../../state/use-resource.ts';
import { texts } from '../../texts/texts.ts';
import {
  ChatGptSteps,
  ClaudeCodeSteps,
  CursorSteps,
  CurlSteps,
  type StepsProps,
  VsCodeSteps,
} from './client-steps.tsx';
import { mcpAddress } from './recipes.ts';

const words = texts.clients;

interface Client {
  key: string;
  label: string;
  steps: ComponentType<StepsProps>;
  /** How the client can authenticate. */
  auth: 'both' | 'browser' | 'key';
}

const CLIENTS: readonly Client[] = [
  { key: 'claude-code', label: words.claudeCode.name, steps: ClaudeCodeSteps, auth: 'both' },
  { key: 'cursor', label: words.cursor.name, steps: CursorSteps, auth: 'both' },
  { key: 'vs-code', label: words.vsCode.name, steps: VsCodeSteps, auth: 'both' },
  { key: 'chatgpt', label: words.chatGpt.name, steps: ChatGptSteps, auth: 'browser' },
  { key: 'curl', label: words.curl.name, steps: CurlSteps, auth: 'key' },
];

/** `set` connects to the address of a set. */
export function ClientPanel({ hasKey, set }: { hasKey: boolean; set?: string }) {
  const { query } = useLocation();
  const providers = useResource('providers', fetchProviders);
  // Agents sign in with the hosted provider. reference: Authorize tickets
  const canSignIn = providers.data?.includes('hosted');
  const [preferred, setPreferred] = useKept('client-auth', 'browser');
  const chosen = CLIENTS.find(({ key }) => key === query.get('client')) ?? CLIENTS[0];
  if (chosen === undefined) return null;
  const { key, steps: Steps, auth } = chosen;
  const signsIn = auth === 'browser' || (auth === 'both' && canSignIn === true && preferred === 'browser');
  const isKnown = auth === 'key' || providers.data !== undefined || providers.error !== undefined;
  const address = mcpAddress(location.origin, null, set);
  const addressWords = set === undefined ? words.address : words.addressOfSet;

  return (
    <section class="panel" aria-labelledby="choose-client">
      <h2 id="choose-client">{words.choose}</h2>
      <Tabs label={words.choose} tabs={CLIENTS} chosen={key} onChoose={(client) => setQuery({ client })}>
        {auth === 'both' && canSignIn && (
          <Chips
            label={words.authentication}
            choices={[
              { value: 'browser', label: words.byBrowser },
              { value: 'key', label: words.byKey },
            ]}
            chosen={preferred}
            onChoose={setPreferred}
          />
        )}
        {/* Waits for the providers, so that the lines do not change while the person reads. */}
        {isKnown ? (
          <Steps signsIn={signsIn} lacksSignIn={canSignIn === false} set={set} />
        ) : (
          <Skeleton rows={2} />
        )}
        {isKnown && !signsIn && (
          <p class="panel-foot">
            <Lamp colour={hasKey ? 'off' : 'amber'}>{hasKey ? words.carriesKey : words.needsKey}</Lamp>
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
