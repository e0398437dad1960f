// Copies, and says so where the eye is.
import { useEffect, useState } from 'preact/hooks';
import { texts } from '../texts/texts.ts';
import { copyText } from './copy-text.ts';
import { explain } from './failed.tsx';
import { Icon } from './icon.tsx';

interface Props {
  /** What to copy, made when it is asked for. */
  text: () => string | Promise<string>;
  label?: string;
  /** Tells apart what several buttons on a page copy. */
  of?: string;
}

export function CopyButton({ text, label = texts.actions.copy, of }: Props) {
  const [said, setSaid] = useState<{ copied: boolean; words: string }>();

  useEffect(() => {
    if (said?.copied !== true) return;
    const timer = setTimeout(() => setSaid(undefined), 2000);
    return () => clearTimeout(timer);
  }, [said]);

  async function copy(): Promise<void> {
    try {
      const copied = await copyText(text());
      setSaid({ copied, words: copied ? texts.actions.copied : texts.actions.copyFailed });
    } catch (error) {
      setSaid({ copied: false, words: explain(error) });
    }
  }

  const copied = said?.copied === true;
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
      <span class={said !== undefined && !copied ? 'copy-problem' : 'visually-hidden'} role="status">
        {said?.words}
      </span>
    </span>
  );
}
