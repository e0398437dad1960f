// Lists the steps that connect a client which signs in through the browser.
import type { ComponentChildren } from 'preact';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Lamp } from '../../parts/lamp.tsx';
import { texts } from '../../texts/texts.ts';
import type { KnownClient } from './known-clients.ts';
import * as recipes from './recipes.ts';

const words = texts.clients;

const LINES: Readonly<Record<string, { title: string; line: typeof recipes.claudeCode; after: string }>> = {
  'claude-code': { title: words.claudeCode.run, line: recipes.claudeCode, after: words.claudeCode.signIn },
  cursor: { title: words.cursor.file, line: recipes.cursorFile, after: words.signIn },
  'vs-code': { title: words.vsCode.run, line: recipes.vsCodeLine, after: words.signIn },
};

interface Props {
  client: KnownClient;
  /** Whether the gateway has a provider for that sign-in. */
  canSignIn: boolean;
  /** The set to connect to. Absent connects to everything. */
  set: string | undefined;
}

export function BrowserSteps({ client: { key }, canSignIn, set }: Props) {
  const known = LINES[key];
  if (known === undefined)
    return <HostedSteps isChatGpt={key === 'chatgpt'} canSignIn={canSignIn} set={set} />;
  const code = known.line(location.origin, null, set);
  return (
    <ol class="steps">
      <Step title={known.title}>
        <CodeBlock code={code} label={known.title} />
      </Step>
      <Step title={known.after} />
    </ol>
  );
}

/** A client that runs at its maker has to reach the gateway, and signs in. What keeps it from that comes first. */
function HostedSteps({ isChatGpt, canSignIn, set }: Omit<Props, 'client'> & { isChatGpt: boolean }) {
  const said = isChatGpt ? words.chatGpt : words.claude;
  return (
    <>
      {location.protocol !== 'https:' && (
        <p class="panel-foot">
          <Lamp colour="amber">{said.reach}</Lamp>
        </p>
      )}
      {!canSignIn && (
        <p class="panel-foot">
          <Lamp colour="amber">{said.noSignIn}</Lamp>
        </p>
      )}
      <ol class="steps">
        <Step title={said.developer} />
        <Step title={said.create}>
          <CodeBlock code={recipes.mcpAddress(location.origin, null, set)} label={said.create} />
        </Step>
      </ol>
    </>
  );
}

function Step({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <li>
      <p>{title}</p>
      {children}
    </li>
  );
}
