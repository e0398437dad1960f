// Tests that no statement about actors looks at every person, connection or link: with 100,000 actors each call would.
// test/bench/actors.ts measures it. decision: 074
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSchema, type Engine } from '../../drivers/sql/engine.ts';
import { openSqlite } from '../../drivers/sql/sqlite.ts';
import { createSqlStore } from '../../drivers/sql/store.ts';

let folder: string;
let engine: Engine;
let db: DatabaseSync;
const statements = new Map<string, number>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'actor-plans-'));
  const file = join(folder, 'service.db');
  engine = openSqlite(file);
  await createSchema(engine);
  db = new DatabaseSync(file);
});
afterAll(async () => {
  db.close();
  await engine.close();
  await rm(folder, { recursive: true, force: true });
});

it('finds every row by an index', async () => {
  const note = ({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) =>
    void statements.set(sql, parameters.length);
  const watched: Engine = {
    ...engine,
    run(query) {
      note(query);
      return engine.run(query);
    },
    batch(queries) {
      queries.forEach(note);
      return engine.batch(queries);
    },
  };
  const store = createSqlStore(watched);
  const key = {
    id: randomUUID(),
    name: 'Acme',
    key_sha: 'sha',
    limits: '{}',
    return_to: '[]',
    mark: null,
    colours: null,
    notify: null,
    max_actors: 10,
    actors: 0,
    created_by: 'boss',
    created_at: 1,
    last_used_at: null,
  };
  const ann = {
    id: randomUUID(),
    service_key_id: key.id,
    external_id: 'ann',
    external_name: null,
    created_at: 1,
  };
  await store.serviceKeys.add(key, 10);
  await store.serviceActors.add(ann);
  await store.serviceKeys.bySha('sha', 'ann');
  await store.serviceKeys.acting(key.id, ann.id);
  await store.serviceActors.get(key.id, 'ann');
  await store.serviceActors.page({ keyId: key.id, after: 'a', limit: 10 });
  await store.serviceActors.page({ keyId: key.id, contains: 'n', limit: 10 });
  await store.usage.ofServiceKeys(1);
  await store.serviceActors.ofUser(ann.id);
  await store.serviceActors.rename(ann.id, 'Ann');
  await store.actorLinks.byToken('sha');
  await store.actorLinks.open('id', 'binding', { now: 1, until: 2 });
  await store.actorLinks.finish('id', 1);
  await store.actorLinks.due(1, 10);
  await store.actorLinks.list({ keyId: key.id, limit: 10 });
  await store.people.page({ limit: 100 }, 1);
  await store.people.hasAdministrator();
  await store.team.usable(ann.id, 'github');
  await store.team.reachable(ann.id);
  await store.connections.list(ann.id);
  await store.serviceActors.beginDeletion(ann, 1);
  await store.people.deleting();
  await store.people.pseudonymize([ann.id], 'x');
  await store.people.erase([ann.id], 'x');
  expect(statements.size).toBeGreaterThan(30);

  const scans = [...statements].flatMap(([text, count]) => {
    const plan = db.prepare(`explain query plan ${text}`).all(...Array(count).fill(null));
    return plan
      .map(({ detail }) => String(detail))
      .filter((detail) =>
        /^SCAN (?:users|connections|actor_links|audit|usage_counts|policies)\b(?!.*users_(?:people|deleted))/.test(
          detail,
        ),
      )
      .map((detail) => `${detail}: ${text.slice(0, 300)}`);
  });
  expect(scans).toEqual([]);
});
