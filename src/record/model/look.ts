// Bounds how many audit rows a request looks through for its filter. decision: 040
import type { AuditQuery, Store } from '../../ports/store.ts';

/** `user_id` says whose rows are read: null is everybody. `like` is the id of a row. */
export type AuditAsked = Omit<AuditQuery, 'from' | 'limit' | 'like'> & {
  like?: number | undefined;
  /** Chooses only rows with a higher id. */
  after?: number | undefined;
};

type AuditStore = { audit: Pick<Store['audit'], 'down' | 'list' | 'span'> };

/** The rows that a request is about. */
export interface Place {
  query: Omit<AuditQuery, 'limit'>;
  isFiltered: boolean;
}

/** Returns null where there can be no row. */
export async function findPlace(
  store: AuditStore,
  { user_id, before, after, like: likeId, ...filter }: AuditAsked,
): Promise<Place | null> {
  const { since, until, actor } = filter;
  const [like] =
    likeId === undefined
      ? []
      : await store.audit.list({ user_id, actor, from: likeId, before: likeId + 1, limit: 1 });
  if (likeId !== undefined && like === undefined) return null;
  const hasTime = since !== undefined || until !== undefined;
  const span = hasTime ? await store.audit.span({ since, until }) : {};
  if (span === null) return null;
  const ends = [before, span.before].filter((end) => end !== undefined);
  const starts = [after === undefined ? undefined : after + 1, span.from].filter(
    (start) => start !== undefined,
  );
  const success = like?.success ?? filter.success;
  const query = {
    ...filter,
    user_id,
    success,
    like,
    from: starts.length === 0 ? undefined : Math.max(...starts),
    before: ends.length === 0 ? undefined : Math.min(...ends),
  };
  return { query, isFiltered: Object.values({ ...filter, like }).some((value) => value !== undefined) };
}

interface Look {
  /** How many rows are read, and how many where an index has the failed rows alone. */
  rows: number;
  failed: number;
}

/**
 * Returns the id down to which so many rows are, and that row where older ones are left. A filter may match
 * nothing, so nobody reads further in one request.
 */
export async function look(
  store: AuditStore,
  { query, isFiltered }: Place,
  { rows, failed }: Look,
): Promise<{ from: number | undefined; goesOn: { id: number; created_at: number } | null }> {
  const { user_id, before, success, from } = query;
  const count = success === false ? failed : rows;
  const down = isFiltered ? await store.audit.down(count, { user_id, before, success }) : null;
  if (down === null || (from !== undefined && down.id <= from)) return { from, goesOn: null };
  return { from: down.id, goesOn: down };
}
