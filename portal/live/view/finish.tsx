// Renders the "I'm signed in" button. It lights up when the address looks signed in, and shows an error without a
// session.
import { Lamp } from '../../parts/lamp.tsx';
import { useWork } from '../../parts/use-work.ts';
import { texts } from '../../texts/texts.ts';

const words = texts.live;

interface Props {
  name: string;
  isLit: boolean;
  isReady: boolean;
  onFinish: () => Promise<void>;
}

export function Finish({ name, isLit, isReady, onFinish }: Props) {
  const { busy, problem, run } = useWork();

  return (
    <>
      {problem !== undefined && (
        <div class="live-problem" role="alert">
          <Lamp colour="red">{problem.message}</Lamp>
        </div>
      )}
      <span class="live-lit" role="status">
        {isLit && words.signedInLit(name)}
      </span>
      <button
        type="button"
        class={isLit ? 'button button-primary live-finish' : 'button live-finish'}
        disabled={busy || !isReady}
        onClick={() => void run(onFinish)}
      >
        {busy ? words.capturing : words.signedIn}
      </button>
    </>
  );
}
