// Holds what is open in a JSON tree, where the person is, and what they look for.
import { useEffect, useMemo, useState } from 'preact/hooks';
import {
  findNodes,
  MAX_ROWS,
  type Opened,
  openLevels,
  revealMatch,
  rootOf,
  ROWS_AT_FIRST,
  type TreeNode,
} from './tree.ts';

// A large result takes some milliseconds to search, so the search waits until the person stops typing.
const FIND_AFTER_MS = 150;
const NOTHING = { found: [] as TreeNode[], isCut: false };

export interface Tree {
  root: TreeNode;
  opened: Opened;
  setOpened: (opened: Opened) => void;
  active: string;
  setActive: (id: string) => void;
  openAll: () => void;
  closeAll: () => void;
  /** What the person has typed. */
  typed: string;
  setTyped: (text: string) => void;
  /** What the matches were found for. */
  find: string;
  found: ReadonlySet<TreeNode>;
  isCut: boolean;
  /** The number of the match where the person is, from 0. */
  at: number;
  /** Goes on by so many matches, and around at the ends. */
  step: (by: number) => void;
}

export function useTree(value: unknown): Tree {
  const root = useMemo(() => rootOf(value), [value]);
  const first = useMemo(() => openLevels(root, ROWS_AT_FIRST), [root]);
  const [opening, setOpening] = useState<{ of: TreeNode; opened: Opened }>({ of: root, opened: first });
  const [active, setActive] = useState('');
  const [typed, setTyped] = useState('');
  const [search, setSearch] = useState({ find: '', of: root, at: 0, ...NOTHING });
  const { at, isCut, find, found } = search.of === root ? search : { ...NOTHING, find: '', at: 0 };
  // A new result begins as every result does.
  const opened = opening.of === root ? opening.opened : first;
  const setOpened = (next: Opened) => setOpening({ of: root, opened: next });

  function goTo(node: TreeNode | undefined): void {
    if (node === undefined) return;
    setOpened(revealMatch(opened, node));
    setActive(node.id);
  }

  useEffect(() => {
    const timer = setTimeout(() => {
      const next = typed === '' ? NOTHING : findNodes(root, typed);
      setSearch({ find: typed, of: root, at: 0, ...next });
      goTo(next.found[0]);
    }, FIND_AFTER_MS);
    return () => clearTimeout(timer);
  }, [typed, root]);

  function step(by: number): void {
    if (found.length === 0) return;
    const next = (at + by + found.length) % found.length;
    setSearch({ find, of: root, found, isCut, at: next });
    goTo(found[next]);
  }

  return {
    root,
    opened,
    setOpened,
    active,
    setActive,
    openAll: () => setOpened(openLevels(root, MAX_ROWS)),
    closeAll: () => {
      setOpened(openLevels(root, 0));
      setActive(root.id);
    },
    typed,
    setTyped,
    find,
    found: useMemo(() => new Set(found), [found]),
    isCut,
    at,
    step,
  };
}
