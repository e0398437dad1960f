// Shows the three steps to a first call: a key, an integration, a client. They disappear once they are done or hidden.
import { useRef, useState } from 'preact/hooks';
import { makeKey } from '../../api/keys.ts';
import type { AuditPage } from '../../api/types.ts';
import { isUsable, type WithState } from '../../connect/state.ts';
import { ownRuns } from '../../state/own-runs.ts';
import { useHasKey } from '../../state/use-has-key.ts';
import { useNewestCalls } from '../../state/use-newest-calls.ts';
import type { Resource } from '../../state/use-resource.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { useFocusFallback } from '../../parts/focus-fallback.ts';
import { Icon } from '../../parts/icon.tsx';
import { Lamp } from '../../parts/lamp.tsx';
import { Link } from '../../router/link.tsx';
import { texts } from '../../texts/texts.ts';
import { claudeCode } from '../clients/recipes.ts';
import { HIDDEN_KEY, withKey } from '../clients/with-key.ts';
import { Step } from './step.tsx';

const words = texts.firstSteps;
const HIDDEN = 'svc_first_steps_hidden';

export interface Steps {
  /** False until the page knows whether to show the steps. */
  isKnown: boolean;
  hidden: boolean;
  hide: () => void;
  hasKey: Resource<boolean>;
  newest: Resource<AuditPage>;
}

/** Loads the state of the steps. The page waits for it, because steps that appear later would move everything below. */
export function useFirstSteps(): Steps {
  const [hidden, setHidden] = useState(() => localStorage.getItem(HIDDEN) !== null);
  const hasKey = useHasKey();
  const newest = useNewestCalls((calls) => !hidden && !hasClient(calls));
  const isKnown =
    hidden || [hasKey, newest].every(({ data, error }) => data !== undefined || error !== undefined);

  function hide(): void {
    localStorage.setItem(HIDDEN, '1');
    setHidden(true);
  }

  return { isKnown, hidden, hide, hasKey, newest };
}

export function FirstSteps({ all, steps }: { all: readonly WithState[]; steps: Steps }) {
  const panel = useRef<HTMLElement>(null);
  useFocusFallback(panel);
  const [wasOpen, setWasOpen] = useState(false);
  const { hide, hasKey, newest } = steps;

  if (hasKey.data === undefined || newest.data === undefined) return null;
  const connected = namesOf(all.filter((each) => isUsable(each) && each.authType !== 'none'));
  const builtIn = namesOf(all.filter(({ authType }) => authType === 'none'));
  const called = hasClient(newest.data);
  const done = [hasKey.data, connected !== '', called].filter(Boolean).length;
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
      <ol class="ticks">
        <Step done={hasKey.data} title={words.key} lead={hasKey.data ? words.keyDone : words.keyOpen}>
          {!hasKey.data && (
            <ActionButton
              primary
              label={texts.keys.mint}
              onAct={() => makeKey().then(() => hasKey.set(true))}
            />
          )}
        </Step>
        <Step
          done={connected !== ''}
          title={words.connect}
          lead={connected === '' ? words.connectOpen(builtIn) : words.connectDone(connected)}
        />
        <Step done={called} title={words.call} lead={called ? words.callDone : words.callOpen}>
          {!called && (
            <>
              <CodeBlock
                label={words.call}
                code={claudeCode(location.origin, HIDDEN_KEY)}
                copy={() => withKey((key) => claudeCode(location.origin, key))}
              />
              <p class="ticks-foot">
                <Lamp colour="amber" blinking>
                  {words.waiting}
                </Lamp>
                <Link href="/clients">{words.clients}</Link>
              </p>
            </>
          )}
        </Step>
      </ol>
    </section>
  );
}

// Runs in the explorer do not count, because no client made them.
function hasClient({ entries, nextCursor }: AuditPage): boolean {
  return nextCursor !== undefined || entries.length > ownRuns();
}

const list = new Intl.ListFormat('en');

function namesOf(integrations: readonly WithState[]): string {
  const names = integrations.map(({ displayName }) => displayName);
  return list.format(names.length <= 3 ? names : [...names.slice(0, 2), words.more(names.length - 2)]);
}
