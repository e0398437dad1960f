// One tab a client, with the lines that connect it.
import type { ComponentType } from 'preact';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Lamp } from '../../parts/lamp.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { setQuery, useLocation } from '../../router/location.ts';
import { texts } from '../../texts.ts';
import { ChatGptSteps, ClaudeCodeSteps, CursorSteps, CurlSteps, VsCodeSteps } from './client-steps.tsx';
import { mcpAddress } from './recipes.ts';

const words = texts.clients;

const CLIENTS: readonly { key: string; label: string; steps: ComponentType; keyed: boolean }[] = [
  { key: 'claude-code', label: words.claudeCode.name, steps: ClaudeCodeSteps, keyed: true },
  { key: 'cursor', label: words.cursor.name, steps: CursorSteps, keyed: true },
  { key: 'vs-code', label: words.vsCode.name, steps: VsCodeSteps, keyed: true },
  { key: 'chatgpt', label: words.chatGpt.name, steps: ChatGptSteps, keyed: false },
  { key: 'curl', label: words.curl.name, steps: CurlSteps, keyed: true },
];

export function ClientPanel({ hasKey }: { hasKey: boolean }) {
  const { query } = useLocation();
  const chosen = CLIENTS.find(({ key }) => key === query.get('client')) ?? CLIENTS[0];
  if (chosen === undefined) return null;
  const { key, steps: Steps, keyed } = chosen;
  const address = mcpAddress(location.origin);

  return (
    <section class="panel" aria-labelledby="choose-client">
      <h2 id="choose-client">{words.choose}</h2>
      <Tabs label={words.choose} tabs={CLIENTS} chosen={key} onChoose={(client) => setQuery({ client })}>
        <Steps />
        {keyed && (
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
