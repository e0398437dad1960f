// What to do in each client, step by step.
import type { ComponentChildren } from 'preact';
import { ActionButton } from '../../parts/action-button.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Lamp } from '../../parts/lamp.tsx';
import { texts } from '../../texts.ts';
import * as recipes from './recipes.ts';
import { HIDDEN_KEY, withKey } from './with-key.ts';

type Recipe = (origin: string, key: string) => string;
const words = texts.clients;

export function ClaudeCodeSteps() {
  return (
    <Steps>
      <StepWithCode title={words.claudeCode.run} recipe={recipes.claudeCode} />
      <Step title={words.claudeCode.ask} />
    </Steps>
  );
}

export function CursorSteps() {
  return (
    <Steps>
      <StepWithLink title={words.cursor.open} client={words.cursor.name} recipe={recipes.cursorLink} />
      <StepWithCode title={words.cursor.file} recipe={recipes.cursorFile} />
    </Steps>
  );
}

export function VsCodeSteps() {
  return (
    <Steps>
      <StepWithLink title={words.vsCode.open} client={words.vsCode.name} recipe={recipes.vsCodeLink} />
      <StepWithCode title={words.vsCode.run} recipe={recipes.vsCodeLine} />
    </Steps>
  );
}

export function ChatGptSteps() {
  return (
    <>
      <Steps>
        <Step title={words.chatGpt.developer} />
        <StepWithCode title={words.chatGpt.create} recipe={recipes.mcpAddress} />
      </Steps>
      {location.protocol !== 'https:' && (
        <p class="panel-foot">
          <Lamp colour="amber">{words.chatGpt.reach}</Lamp>
        </p>
      )}
    </>
  );
}

export function CurlSteps() {
  return (
    <Steps>
      <StepWithCode title={words.curl.call} recipe={recipes.firstCallCurl} />
      <StepWithCode title={words.curl.list} recipe={recipes.listCurl} />
    </Steps>
  );
}

function Steps({ children }: { children: ComponentChildren }) {
  return <ol class="steps">{children}</ol>;
}

function Step({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <li>
      <p>{title}</p>
      {children}
    </li>
  );
}

function StepWithCode({ title, recipe }: { title: string; recipe: Recipe }) {
  return (
    <Step title={title}>
      <CodeBlock
        code={recipe(location.origin, HIDDEN_KEY)}
        label={title}
        copy={() => withKey((key) => recipe(location.origin, key))}
      />
    </Step>
  );
}

// The link holds the key, so it is made when it is asked for and never lies in the page.
function StepWithLink({ title, client, recipe }: { title: string; client: string; recipe: Recipe }) {
  return (
    <Step title={title}>
      <ActionButton
        primary
        label={words.openIn(client)}
        onAct={async () => location.assign(await withKey((key) => recipe(location.origin, key)))}
      />
    </Step>
  );
}
