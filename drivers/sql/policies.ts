// Rules of people and of everyone, and the limits of OAuth clients.
import type { AgentGrant, Policies, RulesRecord } from '../../src/ports/policy.ts';
import { EVERYONE } from '../../src/ports/store.ts';
import { endApprovals } from './approvals.ts';
import { columns, prepare, setToExcluded, values } from './prepare.ts';
import type { Sql } from './sql.ts';

// Tells the rows of the one read apart.
const RULES = 'rules';
const GRANT = 'grant';

export function createPolicies({ db, all, change, batch }: Sql): Policies {
  const rulesOf = (owner: string) =>
    db
      .selectFrom('policies')
      .select((is) => [
        is.cast<string>(is.val(RULES), 'text').as('kind'),
        'owner',
        'rules as body',
        'revision',
        is.cast<number | null>(is.val(null), 'bigint').as('expires_at'),
      ])
      .where('owner', '=', owner);
  // A list of owners instead of the union would cost SQLite half as much again.
  const read = prepare((p: { user: string }) => rulesOf(EVERYONE).unionAll(rulesOf(p.user)));
  const readWithGrant = prepare((p: { user: string; client: string }) =>
    rulesOf(EVERYONE)
      .unionAll(rulesOf(p.user))
      .unionAll(
        db
          .selectFrom('agent_grants')
          .select((is) => [
            is.cast<string>(is.val(GRANT), 'text').as('kind'),
            'client_id as owner',
            'limits as body',
            'revision',
            'expires_at',
          ])
          .where('user_id', '=', p.user)
          .where('client_id', '=', p.client),
      ),
  );
  const put = prepare((p: RulesRecord) =>
    db
      .insertInto('policies')
      .values(values('policies', p))
      .onConflict((conflict) => conflict.column('owner').doUpdateSet(setToExcluded('policies', 'owner'))),
  );
  const end = endApprovals(db);
  const list = prepare((p: { user: string }) =>
    db
      .selectFrom('agent_grants')
      .select(columns('agent_grants'))
      .where('user_id', '=', p.user)
      .orderBy('client_id'),
  );
  const grant = (p: AgentGrant) => db.insertInto('agent_grants').values(values('agent_grants', p));
  const putGrant = prepare((p: AgentGrant) =>
    grant(p).onConflict((conflict) =>
      conflict
        .columns(['user_id', 'client_id'])
        .doUpdateSet(setToExcluded('agent_grants', 'user_id', 'client_id', 'last_used_at', 'paused_at')),
    ),
  );
  const pause = prepare((p: AgentGrant) =>
    grant(p).onConflict((conflict) =>
      conflict.columns(['user_id', 'client_id']).doUpdateSet({ paused_at: p.paused_at }),
    ),
  );
  const paused = prepare(() =>
    db.selectFrom('agent_grants').select(['user_id', 'client_id']).where('paused_at', 'is not', null),
  );
  const noteUse = prepare((p: AgentGrant) =>
    grant(p).onConflict((conflict) =>
      conflict
        .columns(['user_id', 'client_id'])
        .doUpdateSet({ last_used_at: p.last_used_at })
        .where((is) =>
          is.or([
            is('agent_grants.last_used_at', 'is', null),
            is('agent_grants.last_used_at', '<', p.last_used_at),
          ]),
        ),
    ),
  );

  return {
    async read(user, client) {
      const rows = await all(client === null ? read({ user }) : readWithGrant({ user, client }));
      const found = (owner: string) => {
        const row = rows.find((each) => each.kind === RULES && each.owner === owner);
        return row === undefined ? null : { rules: row.body, revision: row.revision };
      };
      const granted = rows.find(({ kind }) => kind === GRANT);
      return {
        everyone: found(EVERYONE),
        own: found(user),
        grant:
          granted === undefined
            ? null
            : { limits: granted.body, expires_at: granted.expires_at, revision: granted.revision },
      };
    },
    async putRules(record) {
      const { owner } = record;
      await batch([put(record), owner === EVERYONE ? end.all({}) : end.ofUser({ user: owner })]);
    },
    grants: (user) => all(list({ user })),
    async putGrant(record) {
      const { user_id: user, client_id } = record;
      await batch([putGrant(record), end.ofCaller({ user, caller: `client:${client_id}` })]);
    },
    async noteUse(record) {
      await change(noteUse(record));
    },
    async pause(record) {
      await change(pause(record));
    },
    paused: () => all(paused({})),
  };
}
