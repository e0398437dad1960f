// Reads the sealed arguments and results of calls. decision: 024
import { pagesOf, type SealedRow } from '../../kit/sealed-row.ts';
import type { StoredCallDetails } from '../../ports/call-details.ts';
import type { Ports } from '../../ports/ports.ts';
import { placeOfDetails } from './details.ts';

export const sealedDetails = ({ store: { callDetails } }: Pick<Ports, 'store'>) =>
  pagesOf<StoredCallDetails>(
    (after, limit) => callDetails.page(after?.id ?? null, limit),
    ({ id, user_id, sealed: seen }): SealedRow => ({
      values: [{ text: seen, place: placeOfDetails(user_id, id), isShortLived: true }],
      lease: null,
      swap: async ([next]) => typeof next === 'string' && callDetails.swapSealed(id, seen, next),
      // Nobody else writes them. A row that is gone has expired, or its person wanted so.
      again: async () => null,
    }),
  );
