// Reads all people, a page at a time.
import { ADMINISTRATION_PAGE } from './limits.ts';
import type { PersonSummary } from '../ports/people.ts';
import type { Ports } from '../ports/ports.ts';

/** Yields people ordered by e-mail address. */
export async function* readEveryone({
  clock,
  store,
}: Pick<Ports, 'clock' | 'store'>): AsyncGenerator<PersonSummary> {
  let after: string | undefined;
  do {
    const place = after === undefined ? {} : { after };
    const rows = await store.people.page({ ...place, limit: ADMINISTRATION_PAGE }, clock.now());
    yield* rows;
    after = rows.length < ADMINISTRATION_PAGE ? undefined : rows.at(-1)?.email;
  } while (after !== undefined);
}
