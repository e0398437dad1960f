// Refresh tokens: one live row for each family, renamed at each rotation, and a mark for each hash that was used.
import type { RefreshToken } from '../../src/ports/records.ts';
import type { RefreshTokens, Rotation } from '../../src/ports/store.ts';
import { excluded, prepare, values } from './prepare.ts';
import type { Sql } from './sql.ts';

export function createRefreshTokens({ db, all, one, change, batch }: Sql): RefreshTokens {
  const put = prepare((p: RefreshToken) =>
    db
      .insertInto('refresh_tokens')
      .values(values('refresh_tokens', p))
      .onConflict((conflict) =>
        conflict.column('token_hash').doUpdateSet(excluded('refresh_tokens', 'token_hash')),
      ),
  );
  // An UPDATE of the key has one winner, and a revocation that waits for it still finds the row. A DELETE and an
  // INSERT would leave the new token alive after such a revocation on PostgreSQL.
  const rename = prepare((p: Rotation) =>
    db
      .updateTable('refresh_tokens')
      .set({ token_hash: p.next, expires_at: p.expires_at })
      .where('token_hash', '=', p.presented)
      .where('client_id', '=', p.client_id)
      .where('expires_at', '>', p.now)
      .returningAll(),
  );
  // Finds the row only after `rename` has won. The mark lives as long as the token that took its place.
  const mark = prepare((p: Rotation) =>
    db
      .insertInto('used_refresh_tokens')
      .columns(['token_hash', 'family', 'user_id', 'client_id', 'rotated_at', 'expires_at'])
      .expression((from) =>
        from
          .selectFrom('refresh_tokens')
          .select((is) => [
            is.cast<string>(is.val(p.presented), 'text').as('presented'),
            'family',
            'user_id',
            'client_id',
            is.cast<number>(is.val(p.now), 'bigint').as('rotated_at'),
            'expires_at',
          ])
          .where('token_hash', '=', p.next),
      ),
  );
  const burn = prepare((p: Rotation) =>
    db.deleteFrom('refresh_tokens').where('token_hash', '=', p.presented),
  );
  const used = prepare((p: Rotation) =>
    db
      .selectFrom('used_refresh_tokens')
      .select(['family', 'rotated_at'])
      .where('token_hash', '=', p.presented),
  );
  const list = prepare((p: { user: string; now: number }) =>
    db
      .selectFrom('refresh_tokens')
      .selectAll()
      .where('user_id', '=', p.user)
      .where('expires_at', '>', p.now)
      .orderBy('created_at')
      .orderBy('token_hash'),
  );
  const revokeFamily = prepare((p: { family: string }) =>
    db.deleteFrom('refresh_tokens').where('family', '=', p.family),
  );
  const revoke = (table: 'oauth_codes' | 'refresh_tokens') =>
    prepare((p: { user: string; client: string }) =>
      db.deleteFrom(table).where('user_id', '=', p.user).where('client_id', '=', p.client),
    );
  const revokeCodes = revoke('oauth_codes');
  const revokeTokens = revoke('refresh_tokens');

  return {
    async put(token) {
      await change(put(token));
    },
    async rotate(rotation) {
      const [renamed, , burned] = await batch([rename(rotation), mark(rotation), burn(rotation)]);
      if (renamed.rows[0] !== undefined) return { outcome: 'rotated', token: renamed.rows[0] };
      if (burned.changes > 0) return { outcome: 'burned' };
      const reused = await one(used(rotation));
      return reused === null ? { outcome: 'unknown' } : { outcome: 'reused', ...reused };
    },
    list: (user, now) => all(list({ user, now })),
    async revokeFamily(family) {
      await change(revokeFamily({ family }));
    },
    async revokeClient(user, client) {
      const [, tokens] = await batch([revokeCodes({ user, client }), revokeTokens({ user, client })]);
      return tokens.changes;
    },
  };
}
