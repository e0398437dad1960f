// A button whose work takes a moment and can fail. It keeps the focus meanwhile, which a disabled one would lose.
import { useRef, useState } from 'preact/hooks';
import { explain, Failed } from './failed.tsx';
import { useFocusHeir } from './focus-heir.ts';

interface Props {
  label: string;
  onAct: () => Promise<void>;
  primary?: boolean;
}

export function ActionButton({ label, onAct, primary = false }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  useFocusHeir(button);
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
        aria-disabled={busy}
        onClick={() => void act()}
      >
        {label}
      </button>
      {problem !== '' && <Failed message={problem} />}
    </>
  );
}
