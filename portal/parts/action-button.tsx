// Renders a button for work that takes a moment and can fail. It is never disabled, because a disabled button loses
// the focus.
import { useRef, useState } from 'preact/hooks';
import { explain, ErrorNotice } from './error-notice.tsx';
import { useFocusFallback } from './focus-fallback.ts';

interface Props {
  label: string;
  /** The accessible name, for a page with several such buttons. */
  named?: string;
  onAct: () => Promise<void>;
  primary?: boolean;
}

export function ActionButton({ label, named, onAct, primary = false }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  useFocusFallback(button);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');

  async function act(): Promise<void> {
    if (busy) return;
    setBusy(true);
    setProblem('');
    try {
      await onAct();
    } catch (error) {
      setProblem(explain(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        class={primary ? 'button button-primary' : 'button'}
        aria-label={named}
        aria-disabled={busy}
        onClick={() => void act()}
      >
        {label}
      </button>
      {problem !== '' && <ErrorNotice message={problem} />}
    </>
  );
}
