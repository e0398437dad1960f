// Groups the tools of a service, and turns what the person chose into the lists that the gateway takes.
import type { Access } from '../../api/tools.ts';
import { findMatches } from '../../state/find.ts';
import type { ImportedTool } from '../../api/imports.ts';

/** A tool that the person can choose. */
export interface Choosable {
  name: string;
  description: string;
  access: Access;
  /** What its name says, where the source says nothing. The person confirms it. */
  offered?: Access;
  /** False for a tool that is left out unless somebody chooses it. */
  ready: boolean;
  tags?: readonly string[];
  app?: NonNullable<ImportedTool['app']>;
  onlyForApp?: true;
}

/** What the person chose; only what differs from the source is in it. */
export interface Selection {
  /** Whether each tool is chosen, for the tools that the person changed. */
  chosen: Readonly<Record<string, boolean>>;
  access: Readonly<Record<string, Access>>;
}

export const NOTHING_CHANGED: Selection = { chosen: {}, access: {} };

export interface Group {
  /** Empty for tools without a tag. */
  tag: string;
  tools: Choosable[];
}

export function isChosen(tool: Choosable, { chosen }: Selection): boolean {
  return chosen[tool.name] ?? tool.ready;
}

export function accessOf(tool: Choosable, { access }: Selection): Access {
  return access[tool.name] ?? tool.access;
}

/** Groups tools by their first tag, in the order of the source. Tools without a tag come last. */
export function groupByTag(tools: readonly Choosable[]): Group[] {
  const groups = Map.groupBy(tools, ({ tags }) => tags?.[0] ?? '');
  return [...groups]
    .map(([tag, members]) => ({ tag, tools: members }))
    .toSorted((one, other) => Number(one.tag === '') - Number(other.tag === ''));
}

export function findTools(tools: readonly Choosable[], query: string): Choosable[] {
  return findMatches(
    tools,
    query,
    ({ name, description, tags = [] }) => `${name} ${description} ${tags.join(' ')}`,
  );
}

export function choose(selection: Selection, tools: readonly Choosable[], isOn: boolean): Selection {
  const chosen = { ...selection.chosen };
  for (const { name, ready } of tools) {
    if (ready === isOn) delete chosen[name];
    else chosen[name] = isOn;
  }
  return { ...selection, chosen };
}

export function setAccess(selection: Selection, tool: Choosable, to: Access): Selection {
  const access = { ...selection.access };
  if (to === tool.access) delete access[tool.name];
  else access[tool.name] = to;
  return { ...selection, access };
}

/** The tools whose offered access nobody has confirmed yet. */
export const findOffered = (tools: readonly Choosable[], { access }: Selection): Choosable[] =>
  tools.filter(({ name, offered }) => offered !== undefined && access[name] === undefined);

export function confirmOffered(selection: Selection, tools: readonly Choosable[]): Selection {
  return findOffered(tools, selection).reduce(
    (now, tool) => setAccess(now, tool, tool.offered ?? tool.access),
    selection,
  );
}

/**
 * Returns the shortest of two lists: all but some, or only some. With the first, tools that the source adds later
 * are offered for review. A tool that is usually left out has to be named.
 */
export function listChosen(
  tools: readonly Choosable[],
  selection: Selection,
): { include?: string[]; exclude?: string[] } {
  const on = tools.filter((tool) => isChosen(tool, selection));
  const off = tools.filter((tool) => tool.ready && !isChosen(tool, selection));
  const takesUnready = on.some(({ ready }) => !ready);
  if (takesUnready || off.length > on.length) return { include: on.map(({ name }) => name) };
  return off.length === 0 ? {} : { exclude: off.map(({ name }) => name) };
}
