// "I'm signed in": there at any time, lit once the address says so, and honest when there is no session to keep.
import { useState } from 'preact/hooks';
import { explain } from '../../parts/failed.tsx';
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
