// The three steps to a first call. They tick themselves off, and stay away once they are done or hidden.
import { useState } from 'preact/hooks';
import { fetchHasKey, mintKey } from '../../api/keys.ts';
import type { WithState } from '../../connect/state.ts';
import { useNewestCall } from '../../state/use-newest-call.ts';
import { useResource } from '../../state/use-resource.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Lamp } from '../../parts/lamp.tsx';
import { Link } from '../../router/link.tsx';
import { texts } from '../../texts.ts';
import { firstCallCurl } from '../clients/recipes.ts';
import { HIDDEN_KEY, withKey } from '../clients/with-key.ts';
import { Step } from './step.tsx';

const words = texts.firstSteps;
const HIDDEN = 'svc_first_steps_hidden';

export function FirstSteps({ usable }: { usable: readonly WithState[] }) {
  const [hidden, setHidden] = useState(() => localStorage.getItem(HIDDEN) !== null);
  const [wasOpen, setWasOpen] = useState(false);
  const hasKey = useResource('has-key', fetchHasKey);
  const newest = useNewestCall((call) => !hidden && call === null);

  if (hidden || hasKey.data === undefined || newest.data === undefined) return null;
  const call = newest.data;
  const done = [hasKey.data, usable.length > 0, call !== null].filter(Boolean).length;
  // Done before this visit: nothing to show. Done during it: the last tick is worth seeing.
  if (done === 3 && !wasOpen) return null;
  if (!wasOpen) setWasOpen(true);

  function hide(): void {
    localStorage.setItem(HIDDEN, '1');
    setHidden(true);
  }

  return (
    <section class="panel first-steps" aria-labelledby="first-steps">
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
              onAct={() => mintKey().then(() => hasKey.set(true))}
            />
          )}
        </Step>
        <Step done={usable.length > 0} title={words.connect} lead={usableWords(usable)} />
        <Step
          done={call !== null}
          title={words.call}
          lead={call === null ? words.callOpen : words.callDone(call.tool)}
        >
          {call === null && (
            <>
              <CodeBlock
                label={words.call}
                code={firstCallCurl(location.origin, HIDDEN_KEY)}
                copy={() => withKey((key) => firstCallCurl(location.origin, key))}
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

// What a person connected themselves says more than what was there before them.
function usableWords(usable: readonly WithState[]): string {
  if (usable.length === 0) return words.connectOpen;
  const connected = usable.filter(({ authType }) => authType !== 'none');
  return connected.length > 0
    ? words.connectDone(listed(connected.map(({ displayName }) => displayName)))
    : words.connectBuiltIn(listed(usable.map(({ displayName }) => displayName)));
}

const list = new Intl.ListFormat('en');

function listed(names: readonly string[]): string {
  return names.length <= 3
    ? list.format(names)
    : list.format([...names.slice(0, 2), `${names.length - 2} more`]);
}
