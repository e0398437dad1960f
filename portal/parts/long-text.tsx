// Shows a text from outside as text, and cuts a long one until the person asks for more.
import { useState } from 'preact/hooks';
import { texts } from '../texts/texts.ts';

interface Props {
  text: string;
  max?: number;
  class?: string;
  /** `span` for a text inside a paragraph. */
  as?: 'p' | 'span';
}

export function LongText({ text, max = 220, class: looks, as: Tag = 'p' }: Props) {
  const [isOpen, setOpen] = useState(false);
  // A cut that saves only a few words is not worth a button.
  const isLong = text.length > max * 1.25;
  return (
    <Tag class={looks === undefined ? 'outside-text' : `outside-text ${looks}`}>
      {isLong && !isOpen ? `${text.slice(0, max).trimEnd()}… ` : text}
      {isLong && (
        <>
          {isOpen && ' '}
          <button type="button" class="link-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? texts.actions.less : texts.actions.more}
          </button>
        </>
      )}
    </Tag>
  );
}
