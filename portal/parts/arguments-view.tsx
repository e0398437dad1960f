// Shows the exact arguments of a call so that a person can read them: names and values, or JSON.
import { useMemo, useState } from 'preact/hooks';
import type { ApprovalFile } from '../api/approvals.ts';
import { visibleTexts } from '../texts/visible.ts';
import { size } from './amounts.ts';
import { CopyButton } from './copy-button.tsx';
import { hidesCharacters } from './hidden-characters.ts';
import '../styles/arguments.css';
import { LongVisibleText, VisibleText } from './visible-text.tsx';

const words = visibleTexts;
/** Deeper values are shown as JSON. */
const MAX_DEPTH = 4;
/** The members that are shown before the person asks for more. */
const MAX_OUTER = 30;
const MAX_INNER = 12;
const MAX_SHORT = 40;

interface Props {
  args: Readonly<Record<string, unknown>>;
  files?: readonly ApprovalFile[];
}

export function ArgumentsView({ args, files = [] }: Props) {
  const [asJson, setAsJson] = useState(false);
  const json = useMemo(() => JSON.stringify(args, null, 2), [args]);
  // JSON writes some of these characters as escapes, so each text is looked at.
  const hides = useMemo(() => stringsIn(args).some(hidesCharacters), [args]);
  if (Object.keys(args).length === 0) return <p class="muted">{words.noArguments}</p>;
  return (
    <div class="args">
      {hides && (
        <p class="args-hidden">
          {words.hidden} <mark class="hidden-mark">{words.hiddenExample}</mark>
        </p>
      )}
      {asJson ? (
        <pre class="json" tabIndex={0} role="group" aria-label={words.json}>
          <code>
            <VisibleText text={json} />
          </code>
        </pre>
      ) : (
        <Members value={args} depth={0} files={files} />
      )}
      <div class="row args-foot">
        <button type="button" class="link-button" onClick={() => setAsJson(!asJson)}>
          {asJson ? words.asList : words.asJson}
        </button>
        {asJson && <CopyButton label={words.copy} text={() => json} />}
      </div>
    </div>
  );
}

interface Shown<T> {
  value: T;
  depth: number;
  files: readonly ApprovalFile[];
}

function Members({ value, depth, files }: Shown<object>) {
  const [isOpen, setOpen] = useState(false);
  const entries = Object.entries(value);
  const most = depth === 0 ? MAX_OUTER : MAX_INNER;
  // Hiding one or two would save nothing.
  const isLong = entries.length > most + 2;
  const isList = Array.isArray(value);
  const shown = isLong && !isOpen ? entries.slice(0, most) : entries;
  return (
    <>
      <dl class={isList ? 'args-list args-items' : 'args-list'}>
        {shown.map(([name, member], index) => (
          <div key={name} class={looksOf(member)}>
            <dt>{isList ? words.item(index + 1) : <VisibleText text={name} />}</dt>
            <dd>
              <Value value={member} depth={depth + 1} files={files} name={name} />
            </dd>
          </div>
        ))}
      </dl>
      {isLong && (
        <button type="button" class="link-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? words.less : words.moreItems(entries.length - most)}
        </button>
      )}
    </>
  );
}

/** On phones a short value stands beside its name, and a long one below it. */
function looksOf(value: unknown): string | undefined {
  if (typeof value === 'string')
    return value.length > MAX_SHORT || value.includes('\n') ? 'args-long' : undefined;
  const isNested = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  return isNested ? 'args-long args-nested' : undefined;
}

function Value({ value, depth, files, name }: Shown<unknown> & { name: string }) {
  if (typeof value === 'string') return <TextValue text={value} files={files} name={name} />;
  if (typeof value !== 'object' || value === null) return <code class="json-value">{String(value)}</code>;
  if (Object.keys(value).length === 0)
    return <span class="muted">{Array.isArray(value) ? words.emptyList : words.emptyObject}</span>;
  if (depth < MAX_DEPTH) return <Members value={value} depth={depth} files={files} />;
  return (
    <code class="args-text">
      <LongVisibleText text={JSON.stringify(value, null, 2)} of={name} />
    </code>
  );
}

function TextValue({ text, files, name }: { text: string; files: readonly ApprovalFile[]; name: string }) {
  if (text === '') return <span class="muted">{words.emptyText}</span>;
  const file = files.find(({ handle }) => text === handle || text === `file:${handle}`);
  return (
    <>
      <div class="args-text">
        <LongVisibleText text={text} of={name} />
      </div>
      {file && (
        <p class="args-file">
          <FileName file={file} />
        </p>
      )}
    </>
  );
}

/** Names a file with its size and its type. */
export function FileName({ file: { name, bytes, mimeType } }: { file: ApprovalFile }) {
  if (name === null) return <span class="muted">{words.fileGone}</span>;
  return (
    <>
      <VisibleText text={name} />{' '}
      <span class="muted">
        {size(bytes ?? 0)}, <VisibleText text={mimeType ?? ''} />
      </span>
    </>
  );
}

/** Collects every text and every name within a value. */
function stringsIn(value: unknown): string[] {
  const found: string[] = [];
  const values = [value];
  // The list grows while it is read.
  for (const each of values) {
    if (typeof each === 'string') found.push(each);
    if (typeof each !== 'object' || each === null) continue;
    for (const [name, member] of Object.entries(each)) {
      found.push(name);
      values.push(member);
    }
  }
  return found;
}
