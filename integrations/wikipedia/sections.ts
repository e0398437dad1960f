// Finds a section of an article by its heading.
import { toText } from '../html/to-text.ts';

// A heading is short, and the bound keeps the time linear for a page with headings that never end.
const HEADING = /<h([2-6])\b[^<>]*>([\s\S]{0,1000}?)<\/h\1\s*>/gi;
const MAX_NAMED = 100;

interface Heading {
  name: string;
  level: number;
  at: number;
}

/** Returns the HTML of a section with the sections below it. Throws with the names of the sections that there are. */
export function cutSection(html: string, wanted: string): string {
  const headings = [...html.matchAll(HEADING)].map(({ 1: level, 2: inner = '', index }): Heading => ({
    name: toText(inner).text.replace(/\s+/g, ' ').trim(),
    level: Number(level),
    at: index,
  }));
  const key = fold(wanted);
  const first = headings.findIndex(({ name }) => fold(name) === key);
  const found = headings[first];
  if (found === undefined) throw new Error(`The article has no section "${wanted}". ${listOf(headings)}`);
  const next = headings.slice(first + 1).find(({ level }) => level <= found.level);
  return html.slice(found.at, next?.at);
}

const fold = (name: string): string => name.trim().toLowerCase();

function listOf(headings: readonly Heading[]): string {
  const names = headings.slice(0, MAX_NAMED).map(({ name }) => name);
  if (names.length === 0) return 'It has no sections: leave section out.';
  return `Its sections are: ${names.join(', ')}${headings.length > MAX_NAMED ? ', …' : ''}.`;
}
