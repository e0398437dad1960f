// Shows what the gateway does, and three steps: run a tool, connect a client, connect an integration. The steps disappear
// once they are done or hidden.
import { useRef, useState } from 'preact/hooks';
import { type MadeKey, makeNamedKey } from '../../api/agent-keys.ts';
import { isUsable, type WithState } from '../../connect/state.ts';
import { CodeBlock } from '../../parts/code-block.tsx';
import { useFocusFallback } from '../../parts/focus-fallback.ts';
import { Icon } from '../../parts/icon.tsx';
import { Lamp } from '../../parts/lamp.tsx';
import { Link } from '../../router/link.tsx';
import { firstStepsTexts } from '../../texts/first-steps.ts';
import { claudeCode } from '../clients/recipes.ts';
import { HIDDEN_KEY } from '../clients/with-key.ts';
import { useKept } from '../../state/use-kept.ts';
import { FirstConnection } from './first-connection.tsx';
import { FirstTool } from './first-tool.tsx';
import { GatewayPicture } from './gateway-picture.tsx';
import { Step } from './step.tsx';
import { hasClient, hasRun, type Steps } from './steps.ts';

const words = firstStepsTexts.firstSteps;

interface Props {
  all: readonly WithState[];
  steps: Steps;
  /** Whether all integrations are listed below the steps. */
  isAboveGallery: boolean;
  onConnect: (integration: WithState) => void;
}

export function FirstSteps({ all, steps, isAboveGallery, onConnect }: Props) {
  const panel = useRef<HTMLElement>(null);
  useFocusFallback(panel);
  const [wasOpen, setWasOpen] = useState(false);
  // The gateway records a call a moment after it responds.
  const [hasJustRun, setJustRun] = useState(false);
  const { hide, newest } = steps;

  if (newest.data === undefined) return null;
  const connected = namesOf(all.filter((each) => isUsable(each) && each.authType !== 'none'));
  const ran = hasJustRun || hasRun(newest.data);
  const called = hasClient(newest.data);
  const done = [ran, called, connected !== ''].filter(Boolean).length;
  // Hides steps that were done before this visit. During the visit, the person sees the last tick.
  if (done === 3 && !wasOpen) return null;
  if (!wasOpen) setWasOpen(true);

  return (
    <section ref={panel} class="panel first-steps" aria-labelledby="first-steps">
      <div class="panel-head">
        <h2 id="first-steps">{words.title}</h2>
        <p class="muted" role="status">
          {done === 3 ? words.complete : words.progress(done)}
        </p>
        <button type="button" class="icon-button" aria-label={words.hide} title={words.hide} onClick={hide}>
          <Icon name="close" />
        </button>
      </div>
      <GatewayPicture />
      <ol class="ticks">
        <Step done={ran} title={words.run} lead={ran ? words.runDone : words.runOpen}>
          <FirstTool all={all} isNext={!ran} onRan={() => setJustRun(true)} />
        </Step>
        <Step done={called} title={words.call} lead={called ? words.callDone : words.callOpen}>
          {!called && <FirstClient />}
        </Step>
        <Step
          done={connected !== ''}
          title={words.connect}
          lead={connected === '' ? words.connectOpen : words.connectDone(connected)}
        >
          {connected === '' && (
            <FirstConnection all={all} isNext={ran} isAboveGallery={isAboveGallery} onConnect={onConnect} />
          )}
        </Step>
      </ol>
    </section>
  );
}

/** The line has a key of its own, which the first copy makes: the personal key could do everything. */
function FirstClient() {
  const [making, setMaking] = useKept<Promise<MadeKey> | null>('key of the first client', null);

  async function copy(): Promise<string> {
    const made = making ?? makeNamedKey(firstKey());
    setMaking(made);
    try {
      return claudeCode(location.origin, (await made).key);
    } catch (error) {
      setMaking(null);
      throw error;
    }
  }

  return (
    <>
      <CodeBlock label={words.call} code={claudeCode(location.origin, HIDDEN_KEY)} copy={copy} />
      <p class="ticks-foot">
        <Lamp colour="amber" blinking>
          {words.waiting}
        </Lamp>
        <Link href="/clients">{words.clients}</Link>
      </p>
    </>
  );
}

const KEY_SECONDS = 90 * 86_400;
const firstKey = () =>
  ({
    name: 'Claude Code',
    access: 'read',
    expiresAt: Math.floor(Date.now() / 1000) + KEY_SECONDS,
  }) as const;

const list = new Intl.ListFormat('en');

function namesOf(integrations: readonly WithState[]): string {
  const names = integrations.map(({ displayName }) => displayName);
  return list.format(names.length <= 3 ? names : [...names.slice(0, 2), words.more(names.length - 2)]);
}
