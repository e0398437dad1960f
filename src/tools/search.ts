// Searches the tools by the specification's literal rule, and suggests tools when that finds nothing.
import type { Searchable } from './search-index.ts';
import { createSuggest, type Suggest } from './suggest.ts';

export interface Search {
  /** Returns every tool that contains the query, in the order of the registry. */
  literal(query: string): Searchable[];
  /** Returns at most eight ranked guesses, for a query that no tool contains. Returns none when nothing scores well. */
  suggest(query: string, connected: ReadonlySet<string>): Searchable[];
}

export function createSearch(tools: readonly Searchable[]): Search {
  const rows = tools.map(({ name, description, integration }) => ({
    tool: { name, description, integration },
    name: name.toLowerCase(),
    description: description.toLowerCase(),
  }));
  let ranked: Suggest | undefined;

  // The query is one literal string: it is not trimmed, split, reordered or limited. reference: Search
  function literal(query: string): Searchable[] {
    const wanted = query.toLowerCase();
    const found = rows.filter((row) => row.name.includes(wanted) || row.description.includes(wanted));
    return found.map((row) => row.tool);
  }

  // The first suggestion builds the index, so that the start of the gateway does not pay for it.
  function suggest(query: string, connected: ReadonlySet<string>): Searchable[] {
    ranked ??= createSuggest(rows.map((row) => row.tool));
    return ranked(query, connected);
  }

  return { literal, suggest };
}
