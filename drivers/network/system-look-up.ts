// Resolves names with the system's resolver, which uses few threads and may ask another machine each time. So
// each name has at most one look-up at a time, a recent result is reused, and a name that resolved before
// does not wait long behind look-ups that never answer.

type Ask = (name: string) => Promise<string[]>;
type LookUp = (name: string) => string[] | Promise<string[]>;

const PATIENCE_MS = 1_000;
const FRESH_MS = 5_000;
const MAX_AGE_MS = 3_600_000;
const MAX_NAMES = 1_000;

export function createSystemLookUp(ask: Ask, { patienceMs = PATIENCE_MS, freshMs = FRESH_MS } = {}): LookUp {
  const known = new Map<string, { addresses: string[]; found: number }>();
  const asking = new Map<string, Promise<string[]>>();

  function keep(name: string, addresses: string[]): void {
    known.delete(name);
    if (addresses.length === 0) return;
    for (const [oldest] of known) {
      if (known.size < MAX_NAMES) break;
      known.delete(oldest);
    }
    known.set(name, { addresses, found: performance.now() });
  }

  async function find(name: string): Promise<string[]> {
    try {
      const addresses = await ask(name);
      keep(name, addresses);
      return addresses;
    } finally {
      asking.delete(name);
    }
  }

  return function lookUp(name) {
    const standing = known.get(name);
    const age = standing === undefined ? Infinity : performance.now() - standing.found;
    if (standing !== undefined && age < freshMs) return standing.addresses;
    const found = asking.get(name) ?? find(name);
    asking.set(name, found);
    if (standing === undefined || age > MAX_AGE_MS) return found;
    const { promise, resolve } = Promise.withResolvers<string[]>();
    const late = setTimeout(resolve, patienceMs, standing.addresses);
    const settle = (addresses: string[]) => {
      clearTimeout(late);
      resolve(addresses);
    };
    found.then(settle, () => settle(standing.addresses));
    return promise;
  };
}
