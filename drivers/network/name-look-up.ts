// Resolves names over HTTPS (the JSON form of RFC 8484), for runtimes without a resolver.
import type { Clock } from '../../src/ports/clock.ts';

export interface NameLookUp {
  fetch: typeof fetch;
  clock: Pick<Clock, 'now'>;
  /** The resolver's address. */
  server: string;
}

const NO_SUCH_NAME = 3;
// RFC 1035 §3.2.2, RFC 3596 §2.1
const TYPES = { A: 1, AAAA: 28 } as const;
const CACHE_SECONDS = 60;
const MAX_NAMES = 1_000;

interface Answer {
  Status: number;
  Answer?: { type: number; data: string }[];
}

/** Returns every address of a name, and caches them for a minute. */
export function createNameLookUp({ fetch, clock, server }: NameLookUp): (name: string) => Promise<string[]> {
  const known = new Map<string, { addresses: string[]; until: number }>();

  async function ask(name: string, type: keyof typeof TYPES): Promise<string[]> {
    const url = new URL(server);
    url.searchParams.set('name', name);
    url.searchParams.set('type', type);
    const response = await fetch(url, { headers: { accept: 'application/dns-json' } });
    if (!response.ok) throw new Error(`[fetch] ${url.host} answered with status ${response.status}`);
    // The JSON form has these members; anything else means no addresses.
    const { Status: status, Answer: answers = [] } = (await response.json()) as Answer;
    if (status !== 0 && status !== NO_SUCH_NAME)
      throw new Error(`[fetch] ${url.host} could not look up ${name}: code ${status}`);
    return answers.filter((answer) => answer.type === TYPES[type]).map(({ data }) => data);
  }

  return async function lookUp(name) {
    const now = clock.now();
    const standing = known.get(name);
    if (standing !== undefined && standing.until > now) return standing.addresses;
    const addresses = (await Promise.all([ask(name, 'A'), ask(name, 'AAAA')])).flat();
    known.delete(name);
    for (const [oldest] of known) {
      if (known.size < MAX_NAMES) break;
      known.delete(oldest);
    }
    known.set(name, { addresses, until: now + CACHE_SECONDS });
    return addresses;
  };
}
