// Search over the registry's tools: the specification's literal rule, and suggestions when it finds nothing.
import type { Searchable } from './search-index.ts';
import { createSuggest, type Suggest } from './suggest.ts';

export interface Search {
  /** Every tool that contains the query, in the registry's order. */
  literal(query: string): Searchable[];
  /** At most eight ranked guesses for a query that is nowhere literally; none when nothing scores well. */
  suggest(query: string, connected: ReadonlySet<string>): Searchable[];
}

export function createSearch(tools: readonly Searchable[]): Search {
  const rows = tools.map(({ name, description, integration }) => ({
    tool: { name, description, integration },
    name: name.toLowerCase(),
    description: description.toLowerCase(),
  }));
  let ranked: Suggest | undefined;

  // spec: Search rules. One literal string: no trimming, no words, no order, no limit.
  function literal(query: string): Searchable[] {
    const wanted = query.toLowerCase();
    const found = rows.filter((row) => row.name.includes(wanted) || row.description.includes(wanted));
    return found.map((row) => row.tool);
  }

  // The index is built at the first suggestion, so that starting up pays nothing for it.
  function suggest(query: string, connected: ReadonlySet<string>): Searchable[] {
    ranked ??= createSuggest(rows.map((row) => row.tool));
    return ranked(query, connected);
  }

  return { literal, suggest };
}
