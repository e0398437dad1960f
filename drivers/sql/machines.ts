// Machines that call: their clients, and trusted issuers with their rules. decision: 054
import type { Expression, ExpressionBuilder } from 'kysely';
import type {
  IssuerWithRules,
  MachineClient,
  Machines,
  NewRule,
  TrustedIssuer,
} from '../../src/ports/machines.ts';
import { createLockUser } from './lock-user.ts';
import { columns, prepare } from './prepare.ts';
import type { Database } from './schema.ts';
import type { Sql } from './sql.ts';
import { selected } from './typed.ts';

export function createMachines({ db, all, one, change, batch }: Sql): Machines {
  const lock = createLockUser({ db });

  const anyClient = prepare(() => db.selectFrom('machine_clients').select('client_id').limit(1));
  const anyIssuer = prepare(() => db.selectFrom('trusted_issuers').select('id').limit(1));
  const key = prepare((p: { key: string; via: string }) =>
    db
      .selectFrom('agent_keys')
      .select(columns('agent_keys'))
      .where('id', '=', p.key)
      .where((is) =>
        is.exists(
          is
            .selectFrom('users')
            .select('users.id')
            .whereRef('users.id', '=', 'agent_keys.user_id')
            .where('users.disabled_at', 'is', null),
        ),
      )
      .where((is) =>
        is.or([
          is.exists(
            is
              .selectFrom('machine_clients as bound')
              .select('bound.key_id')
              .where('bound.client_id', '=', p.via)
              .whereRef('bound.key_id', '=', 'agent_keys.id')
              .whereRef('bound.user_id', '=', 'agent_keys.user_id'),
          ),
          is.exists(
            is
              .selectFrom('trusted_rules as bound')
              .select('bound.key_id')
              .where('bound.id', '=', p.via)
              .whereRef('bound.key_id', '=', 'agent_keys.id')
              .whereRef('bound.user_id', '=', 'agent_keys.user_id'),
          ),
        ]),
      ),
  );

  const addClient = prepare((p: MachineClient & { most: number }) =>
    db
      .insertInto('machine_clients')
      .columns(columns('machine_clients'))
      .expression(
        db
          .selectFrom('agent_keys')
          .select(selected('machine_clients', p))
          .where('id', '=', p.key_id)
          .where('user_id', '=', p.user_id)
          .where(
            (is) =>
              is
                .selectFrom('machine_clients as others')
                .select(({ fn }) => fn.countAll<number>().as('count'))
                .where('others.user_id', '=', p.user_id),
            '<',
            p.most,
          ),
      ),
  );
  const client = prepare((p: { id: string }) =>
    db.selectFrom('machine_clients').select(columns('machine_clients')).where('client_id', '=', p.id),
  );
  const clients = prepare(() =>
    db
      .selectFrom('machine_clients')
      .select(columns('machine_clients'))
      .orderBy('created_at', 'desc')
      .orderBy('client_id'),
  );
  const deleteClient = prepare((p: { id: string }) =>
    db.deleteFrom('machine_clients').where('client_id', '=', p.id),
  );

  const addIssuer = prepare((p: TrustedIssuer & { most: number }) =>
    db
      .insertInto('trusted_issuers')
      .columns(columns('trusted_issuers'))
      .expression(
        db
          .selectFrom('users')
          .select(selected('trusted_issuers', p))
          .where('users.id', '=', p.created_by)
          .where(
            (is) => is.selectFrom('trusted_issuers').select(({ fn }) => fn.countAll<number>().as('count')),
            '<',
            p.most,
          ),
      )
      .onConflict((conflict) => conflict.column('issuer').doNothing()),
  );
  // The rule of another administrator's key stays while its id does, so a rule that is kept is not written again.
  const addRule = prepare((p: NewRule & { issuer_id: string; revision: string; place: number }) =>
    db
      .insertInto('trusted_rules')
      .columns(columns('trusted_rules'))
      .expression(
        db
          .selectFrom('trusted_issuers')
          .select(selected('trusted_rules', p))
          .where('trusted_issuers.id', '=', p.issuer_id)
          .where('trusted_issuers.revision', '=', p.revision)
          .where((is) =>
            is.exists(is.selectFrom('users').select('users.id').where('users.id', '=', p.user_id)),
          ),
      )
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ place: p.place })),
  );
  const issuerColumns = db.selectFrom('trusted_issuers').select(columns('trusted_issuers'));
  const issuerById = prepare((p: { id: string }) => issuerColumns.where('id', '=', p.id));
  const issuerByAddress = prepare((p: { issuer: string }) => issuerColumns.where('issuer', '=', p.issuer));
  const issuers = prepare(() => issuerColumns.orderBy('name').orderBy('id'));
  const ruleColumns = db.selectFrom('trusted_rules').select(columns('trusted_rules'));
  const rulesOf = prepare((p: { issuer: string }) =>
    ruleColumns.where('issuer_id', '=', p.issuer).orderBy('place').orderBy('id'),
  );
  const rules = prepare(() => ruleColumns.orderBy('issuer_id').orderBy('place').orderBy('id'));
  const changeIssuer = prepare((p: { id: string; seen: string; name: string; revision: string }) =>
    db
      .updateTable('trusted_issuers')
      .set({ name: p.name, revision: p.revision })
      .where('id', '=', p.id)
      .where('revision', '=', p.seen),
  );
  const isNow = (is: ExpressionBuilder<Database, 'trusted_rules'>, p: { id: string; revision: string }) =>
    is.exists(
      is
        .selectFrom('trusted_issuers')
        .select('trusted_issuers.id')
        .where('trusted_issuers.id', '=', p.id)
        .where('trusted_issuers.revision', '=', p.revision),
    ) satisfies Expression<unknown>;
  // A place below nought marks what the change leaves out. Each rule of the change gets its place back.
  const leaveOut = prepare((p: { id: string; revision: string }) =>
    db
      .updateTable('trusted_rules')
      .set({ place: -1 })
      .where('issuer_id', '=', p.id)
      .where((is) => isNow(is, p)),
  );
  const deleteLeftOut = prepare((p: { id: string; revision: string }) =>
    db
      .deleteFrom('trusted_rules')
      .where('issuer_id', '=', p.id)
      .where('place', '<', 0)
      .where((is) => isNow(is, p)),
  );
  const deleteRules = prepare((p: { id: string }) =>
    db.deleteFrom('trusted_rules').where('issuer_id', '=', p.id),
  );
  const deleteIssuer = prepare((p: { id: string }) =>
    db.deleteFrom('trusted_issuers').where('id', '=', p.id),
  );

  const noteClientUse = prepare((p: { id: string; now: number }) =>
    db
      .updateTable('machine_clients')
      .set({ last_used_at: p.now })
      .where('client_id', '=', p.id)
      .where((is) => is.or([is('last_used_at', 'is', null), is('last_used_at', '<', p.now)])),
  );
  const noteRuleUse = prepare((p: { id: string; now: number }) =>
    db
      .updateTable('trusted_rules')
      .set({ last_used_at: p.now })
      .where('id', '=', p.id)
      .where((is) => is.or([is('last_used_at', 'is', null), is('last_used_at', '<', p.now)])),
  );

  const addRules = (of: Pick<TrustedIssuer, 'id' | 'revision'>, some: readonly NewRule[]) =>
    some.map((rule, place) => addRule({ ...rule, issuer_id: of.id, revision: of.revision, place }));
  const lockMakers = (some: readonly NewRule[]) =>
    [...new Set(some.map(({ user_id }) => user_id))].toSorted().map((user) => lock({ user }));

  async function withRules(issuer: TrustedIssuer | null): Promise<IssuerWithRules | null> {
    return issuer === null ? null : { issuer, rules: await all(rulesOf({ issuer: issuer.id })) };
  }

  return {
    async any() {
      const [aClient, anIssuer] = await Promise.all([one(anyClient({})), one(anyIssuer({}))]);
      return { clients: aClient !== null, issuers: anIssuer !== null };
    },
    key: (keyId, via) => one(key({ key: keyId, via })),
    async addClient(made, most) {
      const [, added] = await batch([lock({ user: made.user_id }), addClient({ ...made, most })]);
      return added.changes === 1;
    },
    client: (id) => one(client({ id })),
    clients: () => all(clients({})),
    deleteClient: async (id) => (await change(deleteClient({ id }))) === 1,

    async addIssuer(issuer, some, most) {
      const locks = [lock({ user: issuer.created_by }), ...lockMakers(some)];
      const results = await batch([...locks, addIssuer({ ...issuer, most }), ...addRules(issuer, some)]);
      return results[locks.length]?.changes === 1;
    },
    issuer: async (by) =>
      withRules(await one('id' in by ? issuerById({ id: by.id }) : issuerByAddress({ issuer: by.issuer }))),
    async issuers() {
      const [found, some] = await Promise.all([all(issuers({})), all(rules({}))]);
      return found.map((issuer) => ({
        issuer,
        rules: some.filter(({ issuer_id }) => issuer_id === issuer.id),
      }));
    },
    async changeIssuer({ id, revision: seen }, { name, revision, rules: some }) {
      const locks = lockMakers(some);
      const now = { id, revision };
      const results = await batch([
        ...locks,
        changeIssuer({ id, seen, name, revision }),
        leaveOut(now),
        ...addRules(now, some),
        deleteLeftOut(now),
      ]);
      return results[locks.length]?.changes === 1;
    },
    async deleteIssuer(id) {
      // The issuer comes first, as in a change: of two that meet, the second finds all that the first has written.
      const [deleted] = await batch([deleteIssuer({ id }), deleteRules({ id })]);
      return deleted.changes === 1;
    },
    async noteUse(id, now) {
      await batch([noteClientUse({ id, now }), noteRuleUse({ id, now })]);
    },
  };
}
