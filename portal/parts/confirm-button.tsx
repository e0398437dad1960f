// A button that first says what will happen and asks. On phones the question rises from below.
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { texts } from '../texts/texts.ts';
import { explain, Failed } from './failed.tsx';
import { useFocusHeir } from './focus-heir.ts';

interface Props {
  label: string;
  /** Among others on a page: what tells it apart. */
  named?: string;
  title: string;
  confirmLabel: string;
  /** False where nothing is lost, and a question is right all the same. */
  loses?: boolean;
  onConfirm: () => Promise<void>;
  children: ComponentChildren;
}

export function ConfirmButton({
  label,
  named,
  title,
  confirmLabel,
  loses = true,
  onConfirm,
  children,
}: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useFocusHeir(dialog);
  /** What is asked is there while it is asked: a long list has many of these. */
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  /** Of what was confirmed, and not waited for. */
  const [lateProblem, setLateProblem] = useState('');

  function ask(): void {
    setProblem('');
    setLateProblem('');
    setAsking(true);
  }

  useLayoutEffect(() => {
    if (asking) dialog.current?.showModal();
  }, [asking]);

  async function confirm(): Promise<void> {
    if (busy) return;
    setBusy(true);
    setProblem('');
    try {
      await onConfirm();
      dialog.current?.close();
    } catch (error) {
      const say = dialog.current?.open === true ? setProblem : setLateProblem;
      say(explain(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <button type="button" class="button" aria-label={named} onClick={ask}>
        {label}
      </button>
      {lateProblem !== '' && <Failed message={lateProblem} />}
      {asking && (
        <dialog ref={dialog} class="dialog" aria-labelledby={titleId} onClose={() => setAsking(false)}>
          <h2 id={titleId}>{title}</h2>
          <div class="dialog-body">{children}</div>
          {problem !== '' && <Failed message={problem} />}
          <div class="dialog-actions">
            <button type="button" class="button" onClick={() => dialog.current?.close()}>
              {texts.actions.cancel}
            </button>
            <button
              type="button"
              class={loses ? 'button button-danger' : 'button button-primary'}
              aria-disabled={busy}
              onClick={({ detail }) => {
                // The second half of a double click was meant for what asked.
                if (detail < 2) void confirm();
              }}
            >
              {confirmLabel}
            </button>
          </div>
        </dialog>
      )}
    </>
  );
}
