// Makes, shows, copies, rotates and deletes the person's API key. The key is hidden until the person reveals it.
import { useState } from 'preact/hooks';
import { deleteKey, makeKey, revealKey, rotateKey } from '../../api/keys.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { type Outcome, OutcomeLine } from '../../parts/outcome-line.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Link } from '../../router/link.tsx';
import { texts } from '../../texts/texts.ts';
import { HIDDEN_KEY } from './with-key.ts';
import '../../styles/keys.css';

const words = texts.keys;

export function ApiKeyPanel({
  hasKey,
  isLoading,
  onChange,
}: {
  hasKey: boolean | undefined;
  /** True while `hasKey` is loading. */
  isLoading: boolean;
  onChange: (hasKey: boolean) => void;
}) {
  const [shown, setShown] = useState<string>();
  const [outcome, setOutcome] = useState<Outcome>();

  async function renew(work: () => Promise<void>): Promise<void> {
    await work();
    setShown(undefined);
    setOutcome({ words: words.made, takesFocus: true });
    onChange(true);
  }

  async function remove(): Promise<void> {
    await deleteKey();
    setShown(undefined);
    setOutcome({ words: words.removed, takesFocus: true });
    onChange(false);
  }

  async function toggle(): Promise<void> {
    setShown(shown === undefined ? await revealKey() : undefined);
  }

  return (
    <section class="panel" aria-labelledby="api-key">
      <h2 id="api-key">{words.title}</h2>
      <p class="muted">{words.lead}</p>
      <p class="key-hint">
        {words.better} <Link href="/clients">{words.makeNamed}</Link>
      </p>
      {hasKey === undefined && isLoading && <Skeleton rows={1} />}
      {hasKey === false && (
        <div class="key-none">
          <p>{words.none}</p>
          <ActionButton primary label={words.mint} onAct={() => renew(makeKey)} />
        </div>
      )}
      {hasKey === true && (
        <>
          <input
            class="key"
            readOnly
            aria-label={words.field}
            value={shown ?? HIDDEN_KEY}
            onFocus={(event) => event.currentTarget.select()}
          />
          <div class="row key-actions">
            <ActionButton label={shown === undefined ? words.reveal : words.hide} onAct={toggle} />
            <CopyButton text={revealKey} of={words.field} />
            <ConfirmButton
              quiet
              label={words.rotate}
              title={words.rotateTitle}
              confirmLabel={words.rotateDo}
              onConfirm={() => renew(rotateKey)}
            >
              <p>{words.rotateEffect}</p>
              <p>{words.rotateLeft}</p>
            </ConfirmButton>
            <ConfirmButton
              quiet
              label={words.remove}
              title={words.removeTitle}
              confirmLabel={words.removeDo}
              onConfirm={remove}
            >
              <p>{words.removeEffect}</p>
              <p>{words.removeLeft}</p>
            </ConfirmButton>
          </div>
        </>
      )}
      <OutcomeLine outcome={outcome} />
    </section>
  );
}
