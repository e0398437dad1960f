// Renders a button that explains its effect and asks before it acts. On phones the question rises from below.
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ConfirmActions } from './confirm-actions.tsx';
import { explain, ErrorNotice } from './error-notice.tsx';
import { useFocusFallback } from './focus-fallback.ts';
import { useWork } from './use-work.ts';

interface Props {
  label: string;
  /** The accessible name, for a page with several such buttons. */
  named?: string;
  title: string;
  /** The label of the button in the question, where it says more than the first one. */
  confirmLabel?: string;
  /** False when the action loses nothing, and asking is right all the same. */
  loses?: boolean;
  /** Looks like a link, where other actions matter more. */
  quiet?: boolean;
  /** Asks at once, because the person has chosen the action elsewhere. */
  startsAsking?: boolean;
  onConfirm: () => Promise<void>;
  children: ComponentChildren;
}

export function ConfirmButton({
  label,
  named,
  title,
  confirmLabel = label,
  loses = true,
  quiet = false,
  startsAsking = false,
  onConfirm,
  children,
}: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useFocusFallback(dialog);
  /** The dialog exists only while it is open, because a long list has many of these buttons. */
  const [asking, setAsking] = useState(startsAsking);
  const { busy, problem, setProblem, run } = useWork();
  /** The error of an action whose dialog the person closed before it ended. */
  const [lateProblem, setLateProblem] = useState('');

  function ask(): void {
    setProblem();
    setLateProblem('');
    setAsking(true);
  }

  useLayoutEffect(() => {
    if (asking) dialog.current?.showModal();
  }, [asking]);

  async function confirm(): Promise<void> {
    try {
      await onConfirm();
      dialog.current?.close();
    } catch (error) {
      if (dialog.current?.open === true) throw error;
      setLateProblem(explain(error));
    }
  }

  return (
    <>
      <button
        type="button"
        class={quiet ? 'link-button quiet-button' : 'button'}
        aria-label={named}
        onClick={ask}
      >
        {label}
      </button>
      {lateProblem !== '' && <ErrorNotice message={lateProblem} />}
      {asking && (
        <dialog ref={dialog} class="dialog" aria-labelledby={titleId} onClose={() => setAsking(false)}>
          <h2 id={titleId}>{title}</h2>
          <div class="dialog-body">{children}</div>
          {problem !== undefined && <ErrorNotice {...problem} />}
          <ConfirmActions
            confirmLabel={confirmLabel}
            confirmClass={loses ? 'button button-danger' : 'button button-primary'}
            busy={busy}
            onCancel={() => dialog.current?.close()}
            onConfirm={() => void run(confirm)}
          />
        </dialog>
      )}
    </>
  );
}
