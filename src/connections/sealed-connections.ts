// Reads the sealed credentials of connections. decision: 024
import { pagesOf, type SealedRow } from '../kit/sealed-row.ts';
import type { Ports } from '../ports/ports.ts';
import type { Connection } from '../ports/records.ts';
import type { Store } from '../ports/store.ts';
import { LEASE_SECONDS, refreshLease } from './oauth/tokens.ts';
import { COOKIE_SENTINEL, placeOf } from './model/vault.ts';

const COLUMNS = ['access_token', 'refresh_token', 'cookies'] as const;

export const sealedConnections = ({ store: { connections } }: Pick<Ports, 'store'>) =>
  pagesOf<Connection>(
    (after, limit) => connections.page(after, limit),
    (row) => connectionRow(connections, row),
  );

function connectionRow(connections: Store['connections'], seen: Connection): SealedRow {
  const { user_id, integration, account } = seen;
  return {
    values: COLUMNS.map((column) => ({ text: sealedText(seen[column]), place: placeOf(seen, column) })),
    lease: seen.refresh_token === null ? null : { name: refreshLease(seen), seconds: LEASE_SECONDS },
    // What was not sealed stays as it is.
    swap: ([access_token, refresh_token, cookies]) =>
      connections.swap(seen, {
        ...seen,
        access_token: access_token ?? seen.access_token,
        refresh_token: refresh_token ?? seen.refresh_token,
        cookies: cookies ?? seen.cookies,
      }),
    async again() {
      const now = await connections.get(user_id, integration, account);
      return now === null ? null : connectionRow(connections, now);
    },
  };
}

const sealedText = (text: string | null): string | null => (text === COOKIE_SENTINEL ? null : text);
