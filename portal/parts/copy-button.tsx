// Copies a text, and shows the result in the button.
import { useEffect, useState } from 'preact/hooks';
import { texts } from '../texts/texts.ts';
import { copyText } from './copy-text.ts';
import { explain } from './error-notice.tsx';
import { Icon } from './icon.tsx';

interface Props {
  /** Makes the text to copy when the person presses the button. */
  text: () => string | Promise<string>;
  label?: string;
  /** Names what is copied, for a page with several copy buttons. */
  of?: string;
}

export function CopyButton({ text, label = texts.actions.copy, of }: Props) {
  const [result, setResult] = useState<{ copied: boolean; words: string }>();

  useEffect(() => {
    if (result?.copied !== true) return;
    const timer = setTimeout(() => setResult(undefined), 2000);
    return () => clearTimeout(timer);
  }, [result]);

  async function copy(): Promise<void> {
    try {
      const copied = await copyText(text());
      setResult({ copied, words: copied ? texts.actions.copied : texts.actions.copyFailed });
    } catch (error) {
      setResult({ copied: false, words: explain(error) });
    }
  }

  const copied = result?.copied === true;
  const shown = copied ? texts.actions.copied : label;
  return (
    <span class="copy">
      <button
        type="button"
        class="button"
        aria-label={of === undefined ? undefined : `${shown}: ${of}`}
        onClick={() => void copy()}
      >
        <Icon name={copied ? 'check' : 'copy'} />
        <span class="copy-label">{shown}</span>
      </button>
      <span class={result !== undefined && !copied ? 'copy-problem' : 'visually-hidden'} role="status">
        {result?.words}
      </span>
    </span>
  );
}
