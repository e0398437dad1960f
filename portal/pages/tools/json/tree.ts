// Models JSON as a tree of which parts are open. Long lists show a page of their items, so that the number of rows stays
// small.
export interface TreeNode {
  value: unknown;
  /** The name or the index within the parent. Null for the root. */
  name: string | number | null;
  parent: TreeNode | null;
  /** The root is at 0. */
  depth: number;
  /** Unique on the page. */
  id: string;
  children?: readonly TreeNode[];
}

/** The children that an open node shows. */
export interface Shown {
  from: number;
  to: number;
}

export type Opened = ReadonlyMap<TreeNode, Shown>;

export type Row =
  | { kind: 'node'; node: TreeNode; at: number; of: number }
  /** Shows more children of the node, before or after those that are shown. */
  | { kind: 'more'; node: TreeNode; shows: Shown; hidden: number; isBefore: boolean };

export const PAGE = 100;
/** The rows that are open at first, and those that "Expand all" opens. */
export const ROWS_AT_FIRST = 200;
export const MAX_ROWS = 1000;
/** A longer text is open or closed like a list. */
export const LONG_TEXT = 300;

let made = 0;

const makeNode = (value: unknown, name: TreeNode['name'], parent: TreeNode | null): TreeNode => ({
  value,
  name,
  parent,
  depth: parent === null ? 0 : parent.depth + 1,
  id: `json-${(made += 1)}`,
});

export const rootOf = (value: unknown): TreeNode => makeNode(value, null, null);

export function childrenOf(node: TreeNode): readonly TreeNode[] {
  node.children ??= makeChildren(node);
  return node.children;
}

function makeChildren(parent: TreeNode): TreeNode[] {
  const { value } = parent;
  if (Array.isArray(value)) return value.map((item: unknown, at) => makeNode(item, at, parent));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).map(([name, member]) => makeNode(member, name, parent));
}

export function canOpen({ value }: TreeNode): boolean {
  if (typeof value === 'string') return value.length > LONG_TEXT;
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

const firstPage = (node: TreeNode): Shown => ({ from: 0, to: Math.min(PAGE, childrenOf(node).length) });

/** Opens the tree level by level, as far as the rows fit. Long texts stay closed. */
export function openLevels(root: TreeNode, maxRows: number): Map<TreeNode, Shown> {
  const opened = new Map<TreeNode, Shown>();
  let rows = 1;
  const nodes = [root];
  // The list grows while it is read.
  for (const node of nodes) {
    if (!canOpen(node) || typeof node.value === 'string') continue;
    const shown = firstPage(node);
    if (node !== root && rows + shown.to > maxRows) continue;
    rows += shown.to;
    opened.set(node, shown);
    for (const child of childrenOf(node).slice(0, shown.to)) nodes.push(child);
  }
  return opened;
}

export function toggle(opened: Opened, node: TreeNode): Map<TreeNode, Shown> {
  const next = new Map(opened);
  if (!next.delete(node)) next.set(node, firstPage(node));
  return next;
}

/** Opens a match, if it is a long text, and everything above it, at the page where it is. */
export function revealMatch(opened: Opened, node: TreeNode): Map<TreeNode, Shown> {
  const next = new Map(opened);
  if (typeof node.value === 'string' && canOpen(node)) next.set(node, firstPage(node));
  for (let { parent } = node, child = node; parent !== null; child = parent, parent = parent.parent) {
    const at = childrenOf(parent).indexOf(child);
    const shown = next.get(parent);
    if (shown !== undefined && shown.from <= at && at < shown.to) continue;
    const from = at - (at % PAGE);
    next.set(parent, { from, to: Math.min(from + PAGE, childrenOf(parent).length) });
  }
  return next;
}

export const idOf = (row: Row): string =>
  row.kind === 'node' ? row.node.id : `${row.node.id}-${row.isBefore ? 'before' : 'after'}`;

export function rowsOf(root: TreeNode, opened: Opened): Row[] {
  const rows: Row[] = [];
  addRows(root, 1, 1);
  return rows;

  function addRows(node: TreeNode, at: number, of: number): void {
    rows.push({ kind: 'node', node, at, of });
    const shown = opened.get(node);
    if (shown === undefined) return;
    const children = childrenOf(node);
    const before = { from: Math.max(0, shown.from - PAGE), to: shown.to };
    const after = { from: shown.from, to: Math.min(children.length, shown.to + PAGE) };
    if (shown.from > 0) rows.push({ kind: 'more', node, shows: before, hidden: shown.from, isBefore: true });
    for (let index = shown.from; index < shown.to; index++) {
      const child = children[index];
      if (child !== undefined) addRows(child, index + 1, children.length);
    }
    const hidden = children.length - shown.to;
    if (hidden > 0) rows.push({ kind: 'more', node, shows: after, hidden, isBefore: false });
  }
}

const MAX_MATCHES = 1000;

/** Finds the nodes whose name or value contains the text, in the order of the document. */
export function findNodes(root: TreeNode, text: string): { found: TreeNode[]; isCut: boolean } {
  const wanted = text.toLowerCase();
  const found: TreeNode[] = [];
  const stack = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (matches(node, wanted)) {
      if (found.length === MAX_MATCHES) return { found, isCut: true };
      found.push(node);
    }
    // A call takes no more than some 100,000 arguments, and a list may be longer.
    for (const child of childrenOf(node).toReversed()) stack.push(child);
  }
  return { found, isCut: false };
}

function matches({ name, value }: TreeNode, wanted: string): boolean {
  if (typeof name === 'string' && name.toLowerCase().includes(wanted)) return true;
  return typeof value !== 'object' || value === null ? String(value).toLowerCase().includes(wanted) : false;
}
