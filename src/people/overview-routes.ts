// Serves what goes on in the whole gateway to administrators: calls, and registered clients.
// reference: Administration of people
import { Hono } from 'hono';
import { exportAudit } from '../record/model/export.ts';
import { createCountCalls } from '../record/model/histogram.ts';
import type { AuditFailuresPage, AuditHistogram } from '../record/model/row-schemas.ts';
import {
  type AuditRow,
  createReadAuditFailures,
  createReadAuditPage,
  filterOf,
} from '../record/model/page.ts';
import { validQuery } from '../kit/valid-query.ts';
import { type AdministratorNeeds, requireAdministrator } from '../auth/administrators.ts';
import type { Identify } from '../kit/actor.ts';
import { type PortalEnv, requirePortalUser } from '../auth/portal-user.ts';
import { HAS_NO_CONTROL } from '../kit/shown-text.ts';
import { ADMINISTRATION_PAGE } from './limits.ts';
import { HttpError } from '../http/errors.ts';
import type { Success } from '../http/operation.ts';
import type { Ports } from '../ports/ports.ts';
import type { ClientSummary } from '../ports/store.ts';
import { toPage } from '../kit/cursor.ts';
import {
  AgentsQuery,
  EverybodysAuditExportQuery,
  EverybodysAuditFailuresQuery,
  EverybodysAuditHistogramQuery,
  EverybodysAuditQuery,
  type EverybodysAuditPage,
  type RegisteredAgent,
  type RegisteredAgents,
} from './overview-operations.ts';

type Needs = Pick<Ports, 'clock' | 'log' | 'store'> & AdministratorNeeds & { identify: Identify };

export function createOverviewRoutes(deps: Needs): Hono<PortalEnv> {
  const { clock, identify, log, store } = deps;
  const person = requirePortalUser(identify);
  const signedIn = requirePortalUser(identify, { only: 'sessions' });
  const administrator = requireAdministrator(deps);
  const readPage = createReadAuditPage(deps);
  const readFailures = createReadAuditFailures(deps);
  const countCalls = createCountCalls(deps);
  const app = new Hono<PortalEnv>();

  /** The e-mail addresses by id. A person who is gone has none. */
  async function readEmails(ids: ReadonlySet<string>): Promise<ReadonlyMap<string, string | null>> {
    const read = async (id: string) => [id, (await store.users.byId(id))?.email ?? null] as const;
    return new Map(await Promise.all([...ids].map(read)));
  }

  const email = {
    column: 'user_email',
    async cells(rows: readonly AuditRow[]) {
      const emails = await readEmails(new Set(rows.map(({ user_id }) => user_id)));
      return rows.map(({ user_id }) => emails.get(user_id) ?? null);
    },
  };

  app.get('/api/admin/audit', person, administrator, validQuery(EverybodysAuditQuery), async (c) => {
    const { cursor: before, after, person: user_id = null, ...filter } = c.req.valid('query');
    const { entries, ...next } = await readPage({ user_id, before, after, ...filterOf(filter) });
    const emails = await readEmails(new Set(entries.map((entry) => entry.user_id)));
    const rows = entries.map((entry) => ({
      ...entry,
      user: { id: entry.user_id, email: emails.get(entry.user_id) ?? null },
    }));
    return c.json({ entries: rows, ...next } satisfies EverybodysAuditPage);
  });

  app.get(
    '/api/admin/audit/failures',
    person,
    administrator,
    validQuery(EverybodysAuditFailuresQuery),
    async (c) => {
      const { cursor: before, person: user_id = null, ...filter } = c.req.valid('query');
      const page = await readFailures({ user_id, before, ...filterOf(filter) });
      return c.json(page satisfies AuditFailuresPage);
    },
  );

  app.get(
    '/api/admin/audit/histogram',
    person,
    administrator,
    validQuery(EverybodysAuditHistogramQuery),
    async (c) => {
      const { offset = 0, person: user_id = null, ...filter } = c.req.valid('query');
      const counted = await countCalls({ user_id, ...filterOf(filter) }, offset);
      return c.json(counted satisfies AuditHistogram);
    },
  );

  app.get('/api/admin/audit/export', person, administrator, validQuery(EverybodysAuditExportQuery), (c) => {
    const { format, person: user_id = null, ...filter } = c.req.valid('query');
    const asked = { user_id, ...filterOf(filter) };
    const { body, headers } = exportAudit(deps, { asked, format, extra: email });
    log.write('info', 'audit rows of others were exported', { user: c.var.userId, person: user_id });
    return c.body(c.var.underWay?.stream(body) ?? body, 200, headers);
  });

  app.get('/api/admin/agents', person, administrator, validQuery(AgentsQuery), async (c) => {
    const { cursor = null } = c.req.valid('query');
    const rows = await store.clients.page(cursor, ADMINISTRATION_PAGE + 1, clock.now());
    const { shown, ...next } = toPage(rows, ADMINISTRATION_PAGE, ({ client_id }) => client_id);
    return c.json({ agents: shown.map(showAgent), ...next } satisfies RegisteredAgents);
  });

  app.delete('/api/admin/agents/:clientId', signedIn, administrator, async (c) => {
    const clientId = c.req.param('clientId');
    const isKnown = HAS_NO_CONTROL.test(clientId) && (await store.clients.get(clientId)) !== null;
    if (!isKnown) throw new HttpError(404, { error: 'No such agent is registered here.' });
    await store.clients.delete(clientId);
    log.write('info', 'a registered client was deleted', { user: c.var.userId, client: clientId });
    return c.json({ success: true } satisfies Success);
  });

  return app;
}

function showAgent(summary: ClientSummary): RegisteredAgent {
  const { client_id, client_name, created_at, people, last_used_at } = summary;
  return {
    id: client_id,
    name: client_name,
    people,
    createdAt: created_at,
    ...(last_used_at === null ? {} : { lastUsedAt: last_used_at }),
  };
}
