// The rule that a gateway with people has exactly one first owner, and never loses its last one.
import type { ExpressionBuilder } from 'kysely';
import { OWNER_EMAIL } from '../../src/ports/records.ts';
import { prepare } from './prepare.ts';
import type { Database } from './schema.ts';
import type { Sql } from './sql.ts';

// Held within one transaction only, so that no two of them decide about owners at once.
const LEASE = 'first-person';

export interface SignInSetting {
  hasSignInProvider: boolean;
}

/**
 * The first person with a verified address becomes the owner. Without a sign-in provider `owner@localhost` is the first
 * person, whatever its row says. With one that person is nobody.
 */
export function createMakeFirstOwner({ db }: Pick<Sql, 'db'>, { hasSignInProvider }: SignInSetting) {
  return prepare((p: { id: string }) =>
    db
      .updateTable('users')
      .set({ is_admin: 1, is_owner: 1 })
      .where('id', '=', p.id)
      .where('unverified_since', 'is', null)
      .where('email', '<>', OWNER_EMAIL)
      .where((is) =>
        is.not(
          is.exists(
            is
              .selectFrom('users as others')
              .select('others.id')
              .where('others.id', '<>', p.id)
              .where('others.unverified_since', 'is', null)
              .$if(hasSignInProvider, (others) => others.where('others.email', '<>', OWNER_EMAIL)),
          ),
        ),
      ),
  );
}

export function createOwnerRule({ db }: Pick<Sql, 'db'>) {
  return {
    // A second transaction waits at this row until the first one has committed.
    begin: prepare((p: { id: string }) =>
      db
        .insertInto('leases')
        .values({ name: LEASE, holder: p.id, expires_at: 0 })
        .onConflict((conflict) => conflict.column('name').doNothing()),
    ),

    end: prepare((p: { id: string }) =>
      db.deleteFrom('leases').where('name', '=', LEASE).where('holder', '=', p.id),
    ),

    isNotLast: (id: string) => (is: ExpressionBuilder<Database, 'users'>) =>
      is.or([
        is('users.is_owner', '=', 0),
        is.exists(
          is
            .selectFrom('users as others')
            .select('others.id')
            .where('others.id', '<>', id)
            .where('others.is_owner', '=', 1)
            .where('others.disabled_at', 'is', null),
        ),
      ]),
  };
}
