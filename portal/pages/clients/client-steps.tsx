// Lists the steps that connect each client.
import type { ComponentChildren } from 'preact';
import { ActionButton } from '../../parts/action-button.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Lamp } from '../../parts/lamp.tsx';
import { texts } from '../../texts/texts.ts';
import * as recipes from './recipes.ts';
import { type Lines, withHiddenKey, withoutKey } from './lines.ts';

const words = texts.clients;

export interface StepsProps {
  /** True when the client signs in through the browser, so that its lines carry no key. */
  signsIn: boolean;
  /** True when the gateway has no provider for that sign-in. */
  lacksSignIn: boolean;
  /** The set to connect to. Absent connects to everything. */
  set?: string | undefined;
}

export function ClaudeCodeSteps({ signsIn, set }: StepsProps) {
  const lines = signsIn ? withoutKey : withHiddenKey;
  return (
    <Steps>
      <StepWithCode title={words.claudeCode.run} lines={lines(recipes.claudeCode, set)} />
      {signsIn && <Step title={words.claudeCode.signIn} />}
      <Step title={set === undefined ? words.claudeCode.ask : words.claudeCode.askSet} />
    </Steps>
  );
}

export function CursorSteps({ signsIn, set }: StepsProps) {
  const { file, ...cursor } = words.cursor;
  return (
    <EditorSteps
      signsIn={signsIn}
      set={set}
      {...cursor}
      link={recipes.cursorLink}
      title={file}
      code={recipes.cursorFile}
    />
  );
}

export function VsCodeSteps({ signsIn, set }: StepsProps) {
  const { run, ...code } = words.vsCode;
  return (
    <EditorSteps
      signsIn={signsIn}
      set={set}
      {...code}
      link={recipes.vsCodeLink}
      title={run}
      code={recipes.vsCodeLine}
    />
  );
}

interface EditorProps extends Pick<StepsProps, 'signsIn' | 'set'> {
  name: string;
  open: string;
  link: typeof recipes.cursorLink;
  /** The other way, for a person whose editor does not open from a link. */
  title: string;
  code: typeof recipes.cursorFile;
}

function EditorSteps({ signsIn, set, name, open, link, title, code }: EditorProps) {
  const lines = signsIn ? withoutKey : withHiddenKey;
  return (
    <Steps>
      <StepWithLink title={open} client={name} lines={lines(link, set)} />
      <StepWithCode title={title} lines={lines(code, set)} />
      {signsIn && <Step title={words.signIn} />}
    </Steps>
  );
}

export function ChatGptSteps({ lacksSignIn, set }: StepsProps) {
  return (
    <>
      <Steps>
        <Step title={words.chatGpt.developer} />
        <StepWithCode title={words.chatGpt.create} lines={withoutKey(recipes.mcpAddress, set)} />
      </Steps>
      {location.protocol !== 'https:' && (
        <p class="panel-foot">
          <Lamp colour="amber">{words.chatGpt.reach}</Lamp>
        </p>
      )}
      {lacksSignIn && (
        <p class="panel-foot">
          <Lamp colour="amber">{words.chatGpt.noSignIn}</Lamp>
        </p>
      )}
    </>
  );
}

export function CurlSteps({ set }: Pick<StepsProps, 'set'>) {
  if (set !== undefined)
    return (
      <Steps>
        <StepWithCode title={words.curl.functions} lines={withHiddenKey(recipes.functionsCurl, set)} />
        <StepWithCode title={words.curl.description} lines={withHiddenKey(recipes.descriptionCurl, set)} />
      </Steps>
    );
  return (
    <Steps>
      <StepWithCode title={words.curl.call} lines={withHiddenKey(recipes.firstCallCurl)} />
      <StepWithCode title={words.curl.list} lines={withHiddenKey(recipes.listCurl)} />
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

function StepWithCode({ title, lines }: { title: string; lines: Lines }) {
  return (
    <Step title={title}>
      <CodeBlock code={lines.shown()} label={title} copy={lines.whole} />
    </Step>
  );
}

// The link may contain the key, so it is made on a click and never written into the page.
function StepWithLink({ title, client, lines }: { title: string; client: string; lines: Lines }) {
  return (
    <Step title={title}>
      <ActionButton
        primary
        label={words.openIn(client)}
        onAct={async () => location.assign(await lines.whole())}
      />
    </Step>
  );
}
