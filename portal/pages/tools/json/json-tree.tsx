// Shows JSON as a tree that opens and closes, by mouse and by keyboard. The tree is one Tab stop.
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { scrollWithinFrame } from '../../../parts/scroll-into-view.ts';
import { toolsTexts } from '../../../texts/tools.ts';
import { TreeLine } from './tree-line.tsx';
import { canOpen, idOf, type Opened, type Row, rowsOf, toggle, type TreeNode } from './tree.ts';

const words = toolsTexts.tools.tree;

interface Props {
  root: TreeNode;
  opened: Opened;
  onOpen: (opened: Opened) => void;
  /** The id of the row where the person is. */
  active: string;
  onActive: (id: string) => void;
  isWrapped: boolean;
  find: string;
  found: ReadonlySet<TreeNode>;
}

const STEPS: Record<string, number> = { ArrowUp: -1, ArrowDown: 1, PageUp: -15, PageDown: 15 };

export function JsonTree({ root, opened, onOpen, active, onActive, isWrapped, find, found }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => rowsOf(root, opened), [root, opened]);
  // Moving through the tree renders no line again.
  const lines = useMemo(
    () =>
      rows.map((row) => (
        <TreeLine
          key={idOf(row)}
          row={row}
          isOpen={row.kind === 'node' && canOpen(row.node) ? opened.has(row.node) : undefined}
          find={row.kind === 'node' && found.has(row.node) ? find : ''}
        />
      )),
    [rows, find, found],
  );
  const at = Math.max(
    0,
    rows.findIndex((row) => idOf(row) === active),
  );
  const current = rows[at];
  const currentId = current === undefined ? '' : idOf(current);

  useLayoutEffect(() => {
    const line = document.getElementById(currentId);
    line?.toggleAttribute('data-active', true);
    if (line && frame.current && active !== '') scrollWithinFrame(frame.current, line);
    return () => line?.toggleAttribute('data-active', false);
  }, [currentId, active, rows]);

  function press(row: Row): void {
    if (row.kind === 'more') onOpen(new Map(opened).set(row.node, row.shows));
    else if (canOpen(row.node)) onOpen(toggle(opened, row.node));
  }

  function goTo(row: Row | undefined): void {
    if (row !== undefined) onActive(idOf(row));
  }

  function goInto(row: Row): void {
    if (row.kind !== 'node' || !canOpen(row.node)) return;
    if (opened.has(row.node)) goTo(rows[at + 1]);
    else press(row);
  }

  function goOut(row: Row): void {
    if (row.kind === 'node' && opened.has(row.node)) return press(row);
    const parent = row.kind === 'more' ? row.node : row.node.parent;
    if (parent !== null) onActive(parent.id);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (current === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS[event.key];
    if (step !== undefined) goTo(rows[Math.min(rows.length - 1, Math.max(0, at + step))]);
    else if (event.key === 'Home') goTo(rows[0]);
    else if (event.key === 'End') goTo(rows.at(-1));
    else if (event.key === 'ArrowRight') goInto(current);
    else if (event.key === 'ArrowLeft') goOut(current);
    else if (event.key === 'Enter' || event.key === ' ') press(current);
    else return;
    event.preventDefault();
  }

  function onClick({ target }: MouseEvent): void {
    const id = target instanceof Element ? target.closest('[role="treeitem"]')?.id : undefined;
    const row = rows.find((each) => idOf(each) === id);
    // The person selects a text.
    if (row === undefined || document.getSelection()?.isCollapsed === false) return;
    goTo(row);
    press(row);
  }

  return (
    <div
      ref={frame}
      class={isWrapped ? 'tree tree-wrapped' : 'tree'}
      role="tree"
      aria-label={words.label}
      aria-activedescendant={currentId}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onClick={onClick}
    >
      {lines}
    </div>
  );
}
