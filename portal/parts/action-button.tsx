// Renders a button for work that takes a moment and can fail. It is never disabled, because a disabled button loses
// the focus.
import { useRef } from 'preact/hooks';
import { ErrorNotice } from './error-notice.tsx';
import { useFocusFallback } from './focus-fallback.ts';
import { useWork } from './use-work.ts';

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
  const { busy, problem, run } = useWork();

  return (
    <>
      <button
        ref={button}
        type="button"
        class={primary ? 'button button-primary' : 'button'}
        aria-label={named}
        aria-disabled={busy}
        onClick={() => void run(onAct)}
      >
        {label}
      </button>
      {problem !== undefined && <ErrorNotice {...problem} />}
    </>
  );
}
