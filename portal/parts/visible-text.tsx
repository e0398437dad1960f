// Shows a text of others exactly: what is usually invisible gets a mark. A long text opens with a button.
import { useMemo, useState } from 'preact/hooks';
import { visibleTexts } from '../texts/visible.ts';
import { partsOf } from './hidden-characters.ts';

const MAX_CHARACTERS = 700;
const MAX_LINES = 12;

/** Shows the whole text. */
export function VisibleText({ text }: { text: string }) {
  const parts = useMemo(() => partsOf(text), [text]);
  return (
    <>
      {parts.map((part, index) =>
        typeof part === 'string' ? (
          part
        ) : (
          <mark key={index} class="hidden-mark" title={part.about}>
            {part.mark}
          </mark>
        ),
      )}
    </>
  );
}

/** Shows the beginning of a long text, and how much is left. */
export function LongVisibleText({ text, of }: { text: string; of: string }) {
  const [isOpen, setOpen] = useState(false);
  const start = useMemo(() => startOf(text), [text]);
  const isLong = start.length < text.length;
  return (
    <>
      <VisibleText text={isLong && !isOpen ? start : text} />
      {isLong && (
        <div class="visible-more">
          {!isOpen && <span aria-hidden="true">… </span>}
          <button
            type="button"
            class="link-button"
            aria-expanded={isOpen}
            aria-label={
              isOpen ? visibleTexts.lessOf(of) : visibleTexts.moreOf(text.length - start.length, of)
            }
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? visibleTexts.less : visibleTexts.more(text.length - start.length)}
          </button>
        </div>
      )}
    </>
  );
}

/** A cut that saves only a few words is not worth a button. */
function startOf(text: string): string {
  let end = text.length > MAX_CHARACTERS * 1.25 ? MAX_CHARACTERS : text.length;
  let lines = 0;
  for (const { index } of text.slice(0, end).matchAll(/[^\n]*\S[^\n]*/g)) {
    lines += 1;
    if (lines <= MAX_LINES) continue;
    end = index;
    break;
  }
  if (end === text.length) return text;
  // Ends with a whole word, unless that word is very long.
  const start = text
    .slice(0, end)
    .replace(/\s\S{0,40}$/, '')
    .trimEnd();
  // Half of a pair at the end goes, too.
  return start.isWellFormed() || !text.isWellFormed() ? start : start.slice(0, -1);
}
