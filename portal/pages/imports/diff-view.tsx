// Shows two versions side by side, or one below the other on phones. A sign and a colour mark what changed.
import { useState } from 'preact/hooks';
import { importsTexts } from '../../texts/imports.ts';
import { compare, type Hunk, wordsOf } from './diff.ts';

const words = importsTexts.review;
/** So many lines around a change stay in view. */
const CONTEXT = 3;
const MAX_LINES = 400;

/** Compares lines, such as pretty JSON. */
export function LineDiff({ label, before, after }: { label: string; before: string[]; after: string[] }) {
  const hunks = compare(before, after);
  return (
    <div class="diff diff-lines" role="group" aria-label={label}>
      {hunks.map((hunk, index) =>
        hunk.kind === 'same' ? (
          <SameLines
            key={index}
            lines={hunk.before}
            isFirst={index === 0}
            isLast={index === hunks.length - 1}
          />
        ) : (
          <div key={index} class="diff-hunk">
            <Side lines={hunk.before} kind="removed" />
            <Side lines={hunk.after} kind="added" />
          </div>
        ),
      )}
    </div>
  );
}

function SameLines({
  lines,
  isFirst,
  isLast,
}: {
  lines: readonly string[];
  isFirst: boolean;
  isLast: boolean;
}) {
  const [isOpen, setOpen] = useState(false);
  const head = isFirst ? 0 : CONTEXT;
  const tail = isLast ? 0 : CONTEXT;
  const hidden = lines.length - head - tail;
  // Hiding a line or two would save nothing.
  if (isOpen || hidden < 3) return <Both lines={lines} />;
  return (
    <>
      <Both lines={lines.slice(0, head)} />
      <button type="button" class="diff-skip" aria-expanded={false} onClick={() => setOpen(true)}>
        {words.same(hidden)}
      </button>
      <Both lines={lines.slice(lines.length - tail)} />
    </>
  );
}

/** The second side is hidden on phones, where it would repeat the first. */
function Both({ lines }: { lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <div class="diff-hunk diff-same">
      <Side lines={lines} kind="same" />
      <Side lines={lines} kind="same" isCopy />
    </div>
  );
}

interface SideProps {
  lines: readonly string[];
  kind: 'removed' | 'added' | 'same';
  isCopy?: boolean;
}

function Side({ lines, kind, isCopy = false }: SideProps) {
  const shown = lines.slice(0, MAX_LINES);
  return (
    <pre class={`diff-side diff-${kind}`} aria-hidden={isCopy}>
      {shown.length > 0 && kind !== 'same' && (
        <span class="visually-hidden">{kind === 'removed' ? words.removedLine : words.addedLine}: </span>
      )}
      {shown.map((line, index) => (
        <code key={index} class="diff-line">
          {line}
        </code>
      ))}
      {lines.length > shown.length && <code class="diff-line">…</code>}
    </pre>
  );
}

/** Compares a text word by word. */
export function TextDiff({ label, before, after }: { label: string; before: string; after: string }) {
  const hunks = compare(wordsOf(before), wordsOf(after));
  return (
    <div class="diff diff-text" role="group" aria-label={label}>
      <div class="diff-hunk">
        <Version hunks={hunks} side="before" />
        <Version hunks={hunks} side="after" />
      </div>
    </div>
  );
}

function Version({ hunks, side }: { hunks: readonly Hunk[]; side: 'before' | 'after' }) {
  const isBefore = side === 'before';
  const Mark = isBefore ? 'del' : 'ins';
  const isEmpty = hunks.every((hunk) => hunk[side].length === 0);
  return (
    <div class={`diff-side ${isBefore ? 'diff-removed' : 'diff-added'}`}>
      <p class="diff-title">{isBefore ? words.before : words.after}</p>
      <p class="diff-words">
        {isEmpty && <span class="muted">{words.none}</span>}
        {hunks.map((hunk, index) => {
          const text = hunk[side].join('');
          if (hunk.kind === 'same' || text === '') return text;
          return <Mark key={index}>{text}</Mark>;
        })}
      </p>
    </div>
  );
}
