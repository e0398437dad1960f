// One tab a client, with the lines that connect it.
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
  /** How it can be let in. */
  ways: 'both' | 'browser' | 'key';
}

const CLIENTS: readonly Client[] = [
  { key: 'claude-code', label: words.claudeCode.name, steps: ClaudeCodeSteps, ways: 'both' },
  { key: 'cursor', label: words.cursor.name, steps: CursorSteps, ways: 'both' },
  { key: 'vs-code', label: words.vsCode.name, steps: VsCodeSteps, ways: 'both' },
  { key: 'chatgpt', label: words.chatGpt.name, steps: ChatGptSteps, ways: 'browser' },
  { key: 'curl', label: words.curl.name, steps: CurlSteps, ways: 'key' },
];

export function ClientPanel({ hasKey }: { hasKey: boolean }) {
  const { query } = useLocation();
  const providers = useResource('providers', fetchProviders);
  // Agents sign in with this one. spec: SSO resumption
  const canSignIn = providers.data?.includes('hosted');
  const [way, setWay] = useKept('client-way', 'browser');
  const chosen = CLIENTS.find(({ key }) => key === query.get('client')) ?? CLIENTS[0];
  if (chosen === undefined) return null;
  const { key, steps: Steps, ways } = chosen;
  const signsIn = ways === 'browser' || (ways === 'both' && canSignIn === true && way === 'browser');
  const isKnown = ways === 'key' || providers.data !== undefined || providers.error !== undefined;
  const address = mcpAddress(location.origin);

  return (
    <section class="panel" aria-labelledby="choose-client">
      <h2 id="choose-client">{words.choose}</h2>
      <Tabs label={words.choose} tabs={CLIENTS} chosen={key} onChoose={(client) => setQuery({ client })}>
        {ways === 'both' && canSignIn && (
          <Chips
            label={words.way}
            choices={[
              { value: 'browser', label: words.byBrowser },
              { value: 'key', label: words.byKey },
            ]}
            chosen={way}
            onChoose={setWay}
          />
        )}
        {/* Not one line first, and then another. */}
        {isKnown ? <Steps signsIn={signsIn} lacksSignIn={canSignIn === false} /> : <Skeleton rows={2} />}
        {isKnown && !signsIn && (
          <p class="panel-foot">
            <Lamp colour={hasKey ? 'off' : 'amber'}>{hasKey ? words.carriesKey : words.needsKey}</Lamp>
          </p>
        )}
      </Tabs>
      <div class="address">
        <h3>{words.address}</h3>
        <CodeBlock code={address} label={words.address} />
      </div>
    </section>
  );
}
