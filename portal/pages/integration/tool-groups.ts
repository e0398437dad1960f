// Groups the tools of an integration by the thing that they work on, which their names say: github_list_issues is about issues.
const MIN_IN_GROUP = 2;
const MAX_UNGROUPED = 8;
const OTHERS = '';

export interface ToolGroup<T> {
  /** Empty for what belongs to no group. */
  title: string;
  tools: readonly T[];
}

/** Keeps the order of the tools within a group, and the order in which groups begin. A short list is one group. */
export function groupTools<T extends { name: string; integration?: string }>(
  tools: readonly T[],
  integration: string,
): ToolGroup<T>[] {
  if (tools.length <= MAX_UNGROUPED) return tools.length === 0 ? [] : [{ title: OTHERS, tools }];
  const groups = Map.groupBy(tools, ({ name }) => thingIn(name, integration)[0]);
  const large = [...groups].filter(([thing, of]) => thing !== OTHERS && of.length >= MIN_IN_GROUP);
  const grouped = new Set(large.flatMap(([, of]) => of));
  const others = tools.filter((tool) => !grouped.has(tool));
  const titled = large.map(([thing, of]) => ({
    title: titleOf(
      thing,
      of.map(({ name }) => thingIn(name, integration)[1]),
    ),
    tools: of,
  }));
  return others.length === 0 ? titled : [...titled, { title: OTHERS, tools: others }];
}

/** Words behind a verb that name no thing. */
const NO_THING = new Set(['to', 'of', 'my', 'for', 'by', 'or', 'with', 'all', 'latest']);

/** The first two words behind the verb, in the singular. */
function thingIn(name: string, integration: string): [string, string] {
  const own = name.startsWith(`${integration}_`) ? name.slice(integration.length + 1) : name;
  const [, first = OTHERS, second = OTHERS] = own.split(/[_\-. ]|(?<=[a-z])(?=[A-Z])/);
  const thing = singularOf(first.toLowerCase());
  return NO_THING.has(thing) ? [OTHERS, OTHERS] : [thing, singularOf(second.toLowerCase())];
}

function singularOf(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(ss|us|is|news|dns)$/.test(word)) return word;
  return /(ches|shes|xes|sses)$/.test(word) ? word.slice(0, -2) : word.replace(/s$/, '');
}

/** Words that are written in capitals, and their plural. */
const CAPITALS: Readonly<Record<string, string>> = { dns: 'DNS', kv: 'KV', slo: 'SLOs', sql: 'SQL' };
const NO_PLURAL = new Set(['data', 'markdown', 'text', 'inventory', 'time']);

/** Pull requests are one thing, and issues have comments: the second word belongs to the thing if most tools have it. */
function titleOf(thing: string, seconds: readonly string[]): string {
  const [[second, times] = [OTHERS, 0]] = [...Map.groupBy(seconds, (each) => each)]
    .map(([word, same]) => [word, same.length] as const)
    .toSorted(([, one], [, other]) => other - one);
  const isTwo = second !== OTHERS && times * 2 > seconds.length;
  const known = Object.hasOwn(CAPITALS, thing) ? CAPITALS[thing] : undefined;
  const first = thing.slice(0, 1).toUpperCase() + thing.slice(1);
  if (isTwo) return `${known ?? first} ${pluralOf(second)}`;
  return known ?? (NO_PLURAL.has(thing) ? first : pluralOf(first));
}

function pluralOf(word: string): string {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(s|x|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}
