// What the portal takes an answer to be is what the gateway gives: tsc checks it, and this is where.
import { expectTypeOf, it } from 'vitest';
import type * as portal from '../../portal/api/types.ts';
import type { CatalogEntry, CatalogTool } from '../../src/catalog/routes.ts';
import type { ConnectionState } from '../../src/connections/routes.ts';
import type { Health } from '../../src/connections/health.ts';
import type { Access, Integration } from '../../src/kit/integration.ts';
import type { JotSummary } from '../../src/jots/jots.ts';
import type { SettingsChange } from '../../src/jots/publishing/settings.ts';
import type { Agent } from '../../src/oauth/agents.ts';
import type { AuditEntry, User } from '../../src/ports/records.ts';

it('jots, agents, calls and people are what the gateway says they are', () => {
  expectTypeOf<JotSummary>().toEqualTypeOf<portal.Jot>();
  expectTypeOf<portal.JotChange>().toExtend<SettingsChange>();
  expectTypeOf<Agent>().toExtend<portal.Agent>();
  expectTypeOf<AuditEntry>().toExtend<Omit<portal.AuditEntry, 'id'>>();
  expectTypeOf<User>().toExtend<portal.Me>();
});

it('integrations, connections and tools are what their routes answer', () => {
  expectTypeOf<CatalogEntry>().toExtend<portal.Integration>();
  expectTypeOf<ConnectionState>().toEqualTypeOf<portal.Connection>();
  expectTypeOf<CatalogTool>().toExtend<portal.Tool>();
});

it('the words for access, health and ways to sign in are the gateway’s', () => {
  expectTypeOf<Access>().toEqualTypeOf<portal.Access>();
  expectTypeOf<Health>().toEqualTypeOf<portal.Health>();
  expectTypeOf<Integration['auth']['type']>().toEqualTypeOf<portal.AuthType>();
  expectTypeOf<
    Extract<Integration['auth'], { type: 'apikey' }>['fields'][number]
  >().toExtend<portal.ApiKeyField>();
});
