// Chooses the tools of an import by their names, the source's names, their tags or the paths of operations.
import type { Access } from '../../kit/integration.ts';
import type { Settings } from './settings.ts';

export interface Choosable {
  /** The name in the gateway. */
  name: string;
  /** The source's own name. */
  source: string;
  tags?: readonly string[] | undefined;
  /** The recipe of an OpenAPI operation. */
  operation?: Readonly<Record<string, unknown>> | undefined;
}

export type Choice = Pick<Settings, 'include' | 'exclude' | 'access'>;

interface GivenChoice {
  include: readonly string[] | null;
  exclude: readonly string[];
  access: Readonly<Record<string, Access>>;
}

export function isIncluded(
  tool: Choosable,
  { include, exclude }: Pick<Choice, 'include' | 'exclude'>,
): boolean {
  const names = namesOf(tool);
  // A tag and a name may be the same text: either matches. A path also stands for all paths below it.
  const isMeant = (text: string): boolean =>
    names.includes(text) || (text.startsWith('/') && isBelow(text, tool));
  return (include === null || include.some(isMeant)) && !exclude.some(isMeant);
}

/** The access that somebody has set for the tool. */
export function chosenAccess(
  { name, source }: Choosable,
  { access }: Pick<Choice, 'access'>,
): Access | undefined {
  return [name, source].map((text) => (Object.hasOwn(access, text) ? access[text] : undefined)).find(Boolean);
}

const namesOf = (tool: Choosable): string[] => [...ownNames(tool), ...(tool.tags ?? [])];

/** An operation is also named by its method and path, as its description writes them. */
function ownNames({ name, source, operation }: Choosable): string[] {
  const { method, path } = operation ?? {};
  const isWhole = typeof method === 'string' && typeof path === 'string';
  return [name, source, ...(isWhole ? [`${method} ${path}`] : [])];
}

/** Tells whether this very tool is named, and not only its tag or its path. */
export const isNamed = (tool: Choosable, names: ReadonlySet<string>): boolean =>
  ownNames(tool).some((name) => names.has(name));

function isBelow(text: string, { operation }: Choosable): boolean {
  const path = operation?.['path'];
  const prefix = text.replace(/\/+$/, '');
  return typeof path === 'string' && (path === prefix || path.startsWith(`${prefix}/`));
}

/** `others` has the source's names by other names that a person may have seen. `unknown` lists what chooses nothing. */
export function resolveChoices(
  { include, exclude, access }: GivenChoice,
  tools: readonly Choosable[],
  others: ReadonlyMap<string, string> = new Map(),
): { choice: Choice; unknown: string[] } {
  const known = new Set(tools.flatMap(namesOf));
  const resolve = (text: string): string => (known.has(text) ? text : (others.get(text) ?? text));
  const choice = {
    include: include === null ? null : include.map(resolve),
    exclude: exclude.map(resolve),
    access: Object.fromEntries(Object.entries(access).map(([text, value]) => [resolve(text), value])),
  };
  const texts = [...(choice.include ?? []), ...choice.exclude, ...Object.keys(choice.access)];
  const isKnown = (text: string): boolean =>
    known.has(text) || (text.startsWith('/') && tools.some((tool) => isBelow(text, tool)));
  return { choice, unknown: texts.filter((text) => !isKnown(text)) };
}
