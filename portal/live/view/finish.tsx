// Renders the "I'm signed in" button. It lights up when the address looks signed in, and shows an error without a
// session.
import { useState } from 'preact/hooks';
import { explain } from '../../parts/error-notice.tsx';
import { Lamp } from '../../parts/lamp.tsx';
import { texts } from '../../texts/texts.ts';

const words = texts.live;

interface Props {
  name: string;
  isLit: boolean;
  isReady: boolean;
  onFinish: () => Promise<void>;
}

export function Finish({ name, isLit, isReady, onFinish }: Props) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');

  async function finish(): Promise<void> {
    if (busy) return;
    setBusy(true);
    setProblem('');
    try {
      await onFinish();
    } catch (error) {
      setProblem(explain(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      {problem !== '' && (
        <div class="live-problem" role="alert">
          <Lamp colour="red">{problem}</Lamp>
        </div>
      )}
      <span class="visually-hidden" role="status">
        {isLit && words.signedInLit(name)}
      </span>
      <button
        type="button"
        class={isLit ? 'button button-primary live-finish' : 'button live-finish'}
        disabled={busy || !isReady}
        onClick={() => void finish()}
      >
        {busy ? words.capturing : words.signedIn}
      </button>
    </>
  );
}
