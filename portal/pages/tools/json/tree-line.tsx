// Renders a line of the JSON tree: a name and its value, or how many items a closed list has.
import { toolsTexts } from '../../../texts/tools.ts';
import { LONG_TEXT, PAGE, type Row, type TreeNode } from './tree.ts';

const words = toolsTexts.tools.tree;
// A browser takes seconds to lay out a longer line.
const MAX_TEXT = 100_000;

interface Props {
  row: Row;
  /** Undefined for what does not open. */
  isOpen: boolean | undefined;
  /** The text to mark, empty without a match. */
  find: string;
}

export function TreeLine({ row, isOpen, find }: Props) {
  if (row.kind === 'more') {
    const { hidden, isBefore, node } = row;
    return (
      <div
        id={`${node.id}-${isBefore ? 'before' : 'after'}`}
        role="treeitem"
        class="tree-line tree-more"
        aria-level={node.depth + 2}
        style={{ '--depth': node.depth + 1 }}
      >
        {isBefore ? words.before(hidden) : words.after(Math.min(hidden, PAGE), hidden)}
      </div>
    );
  }
  const { node } = row;
  return (
    <div
      id={node.id}
      role="treeitem"
      class={isOpen === undefined ? 'tree-line' : 'tree-line tree-opens'}
      aria-level={node.depth + 1}
      aria-setsize={row.of}
      aria-posinset={row.at}
      aria-expanded={isOpen}
      style={{ '--depth': node.depth }}
    >
      {node.name !== null && (
        <>
          <span class="json-key">
            <Marked text={String(node.name)} find={typeof node.name === 'string' ? find : ''} />
          </span>
          {': '}
        </>
      )}
      <Value node={node} isOpen={isOpen === true} find={find} />
    </div>
  );
}

function Value({ node: { value }, isOpen, find }: { node: TreeNode; isOpen: boolean; find: string }) {
  if (typeof value === 'string') {
    const shown = value.slice(0, isOpen ? MAX_TEXT : LONG_TEXT);
    const text = JSON.stringify(shown);
    return (
      <>
        <span class="json-string">
          <Marked text={text} find={find} />
        </span>
        {shown.length < value.length && (
          <span class="tree-count"> {words.characters(value.length, isOpen)}</span>
        )}
      </>
    );
  }
  if (typeof value !== 'object' || value === null) {
    return (
      <span class="json-value">
        <Marked text={String(value)} find={find} />
      </span>
    );
  }
  const size = Object.keys(value).length;
  return (
    <span class="tree-count">
      {Array.isArray(value) ? words.items(size) : words.members(size)}
      {!isOpen && size > 0 && !Array.isArray(value) && <span class="tree-preview"> {preview(value)}</span>}
    </span>
  );
}

const MAX_PREVIEW = 80;

/** The first values of a closed object, so that people find the item that they look for. */
function preview(value: object): string {
  const parts = Object.values(value)
    .filter((each) => each !== null && typeof each !== 'object' && each !== '')
    .slice(0, 4)
    .map((each) => String(each).slice(0, MAX_PREVIEW));
  const text = parts.join(', ');
  return text.length > MAX_PREVIEW ? `${text.slice(0, MAX_PREVIEW)}…` : text;
}

function Marked({ text, find }: { text: string; find: string }) {
  const at = find === '' ? -1 : text.toLowerCase().indexOf(find.toLowerCase());
  if (at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + find.length)}</mark>
      {text.slice(at + find.length)}
    </>
  );
}
