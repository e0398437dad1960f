// Shows a result that is a text. A long text shows its beginning first.
import { useState } from 'preact/hooks';
import { toolsTexts } from '../../../texts/tools.ts';

const words = toolsTexts.tools;
const STEP = 50_000;

export function PlainText({ text, isWrapped }: { text: string; isWrapped: boolean }) {
  const [count, setCount] = useState(STEP);
  const hidden = text.length - count;
  return (
    <>
      <pre
        class={isWrapped ? 'json' : 'json json-unwrapped'}
        tabIndex={0}
        role="group"
        aria-label={words.text}
      >
        <code>{text.slice(0, count)}</code>
      </pre>
      {hidden > 0 && (
        <button type="button" class="button" onClick={() => setCount(count + STEP)}>
          {words.moreText(hidden)}
        </button>
      )}
    </>
  );
}
