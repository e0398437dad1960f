// Asks for the answers of the first page before its code is here, so that they come at the same time. decision: 078
import { readToken } from './token.ts';

export interface Answer {
  response: Response;
  body: unknown;
}

interface Early {
  token: string;
  /** Null for an answer that the page has to ask for again. */
  answer: Promise<Answer | null>;
  /** How many parts of the page need it, at different times. */
  uses: number;
}

/** How long an answer waits for the page that needs it. */
const WAITS_MS = 5000;
const answers = new Map<string, Early>();

export function askAhead(path: string): void {
  const token = readToken();
  if (token === null) return;
  const asked = answers.get(path);
  if (asked !== undefined) {
    asked.uses += 1;
    return;
  }
  const answer = fetch(path, { headers: { Authorization: `Bearer ${token}` } })
    .then(async (response) => ({ response, body: await response.json() }))
    // The page sends a refused request again, and then learns that its session is over.
    .then((early) => (early.response.status === 401 ? null : early))
    .catch(() => null);
  answers.set(path, { token, answer, uses: 1 });
  void answer.then(() => setTimeout(() => answers.delete(path), WAITS_MS));
}

/** Returns the early answer if this person has asked for one, to as many parts of the page as it was asked for. */
export function takeAhead(path: string): Promise<Answer | null> | undefined {
  const early = answers.get(path);
  if (early === undefined || early.token !== readToken()) return undefined;
  early.uses -= 1;
  if (early.uses === 0) answers.delete(path);
  return early.answer;
}

/** Answers from before a change are old. */
export function forgetAhead(): void {
  answers.clear();
}
