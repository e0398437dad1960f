// Keeps the latest answers with their tags in memory, so that the gateway sends what is asked for again only when it has
// changed. decision: 051
import { readToken } from './token.ts';

interface Kept {
  tag: string;
  body: unknown;
}

const MOST = 40;
const answers = new Map<string, Kept>();
let keptFor: string | null = null;

/** Returns the answer that this person got from the address before. */
export function keptAnswer(path: string): Kept | undefined {
  if (keptFor !== readToken()) answers.clear();
  return answers.get(path);
}

export function keepAnswer(path: string, tag: string | null, body: unknown): void {
  if (tag === null) return;
  keptFor = readToken();
  answers.delete(path);
  answers.set(path, { tag, body });
  const [oldest] = answers.keys();
  if (answers.size > MOST && oldest !== undefined) answers.delete(oldest);
}
