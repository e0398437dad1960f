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
  const groups = Map.groupBy(tools, ({ name }) => thingIn(name, integration));
  const large = [...groups].filter(([thing, of]) => thing !== OTHERS && of.length >= MIN_IN_GROUP);
  const grouped = new Set(large.flatMap(([, of]) => of));
  const others = tools.filter((tool) => !grouped.has(tool));
  const titled = large.map(([thing, of]) => ({ title: titleOf(thing), tools: of }));
  return others.length === 0 ? titled : [...titled, { title: OTHERS, tools: others }];
}

/** The first word behind the verb, in the singular. */
function thingIn(name: string, integration: string): string {
  const own = name.startsWith(`${integration}_`) ? name.slice(integration.length + 1) : name;
  const [, ...behind] = own.split(/[_\-. ]|(?<=[a-z])(?=[A-Z])/);
  return singularOf((behind[0] ?? OTHERS).toLowerCase());
}

function singularOf(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(ss|us|is|news)$/.test(word)) return word;
  return /(ches|shes|xes|sses)$/.test(word) ? word.slice(0, -2) : word.replace(/s$/, '');
}

function titleOf(thing: string): string {
  const [plural] = [
    /[^aeiou]y$/.test(thing)
      ? `${thing.slice(0, -1)}ies`
      : /(s|x|ch|sh)$/.test(thing)
        ? `${thing}es`
        : `${thing}s`,
  ];
  return plural.slice(0, 1).toUpperCase() + plural.slice(1);
}
