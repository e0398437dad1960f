// The store over any SQL engine. Every operation is one statement or one atomic batch, so no engine needs an
// interactive transaction.
import type { Store } from '../../src/ports/store.ts';
import { createAgentKeys } from './agent-keys.ts';
import { createApprovals } from './approvals.ts';
import { createAudit } from './audit.ts';
import { createAuditPushes } from './audit-pushes.ts';
import { createAuditSegments } from './audit-segments.ts';
import { type Backfill, BACKFILLS, createRunBackfills } from './backfills.ts';
import { createCallDetails } from './call-details.ts';
import { createConnections } from './connections.ts';
import type { Engine } from './engine.ts';
import { createEventForwards } from './event-forwards.ts';
import { createEvents } from './events.ts';
import { createExecutionKeys } from './execution-keys.ts';
import { createDirectory } from './directory.ts';
import { createFlows } from './flows.ts';
import { createGroups } from './groups.ts';
import { createImportPages } from './import-pages.ts';
import { createImports } from './imports.ts';
import { createJots } from './jots.ts';
import { createLeases } from './leases.ts';
import { createMachines } from './machines.ts';
import { createClients, createCodes } from './oauth.ts';
import { createOutboxStore } from './outbox.ts';
import type { SignInSetting } from './owner-rule.ts';
import { createPeople } from './people.ts';
import { createPolicies } from './policies.ts';
import { createDeletePortion } from './portions.ts';
import { createProviderClients } from './provider-clients.ts';
import { createRefreshTokens } from './refresh-tokens.ts';
import { createPendingRevocations } from './revocations.ts';
import { createScriptRuns } from './script-runs.ts';
import { createScripts } from './scripts.ts';
import { createActorLinks } from './actor-links.ts';
import { createServiceActors } from './service-actors.ts';
import { createServiceKeys } from './service-keys.ts';
import { createSets } from './sets.ts';
import { createSql } from './sql.ts';
import { createOutsideReads } from './outside-reads.ts';
import { createSwappedText } from './swapped-text.ts';
import { createTasks } from './tasks.ts';
import { createTeamConnections } from './team.ts';
import { createUsage } from './usage.ts';
import { createUsers } from './users.ts';

export interface StoreOptions extends Partial<SignInSetting> {
  backfills?: readonly Backfill[];
}

export function createSqlStore(
  engine: Engine,
  { hasSignInProvider = false, backfills = BACKFILLS }: StoreOptions = {},
): Store {
  const sql = createSql(engine);
  const events = createEvents(sql);
  const leases = createLeases(sql);
  const sweeps = [
    createDeletePortion(engine, 'flows', 'state'),
    createDeletePortion(engine, 'endings', 'person'),
    createDeletePortion(engine, 'jot_leftovers', 'user_id'),
    createDeletePortion(engine, 'jot_views', 'jot'),
    createDeletePortion(engine, 'leases', 'name'),
    createDeletePortion(engine, 'import_tools', 'id'),
    createDeletePortion(engine, 'call_details', 'id'),
    createDeletePortion(engine, 'deliveries', 'id'),
    createDeletePortion(engine, 'execution_keys', 'id'),
    createDeletePortion(engine, 'outside_reads', 'id'),
    createDeletePortion(engine, 'tasks', 'id'),
    createDeletePortion(engine, 'task_approvals', 'approval_id'),
    createDeletePortion(engine, 'set_uses', 'set_id'),
    createDeletePortion(engine, 'actor_links', 'id'),
    createDeletePortion(engine, 'script_runs', 'id'),
    createDeletePortion(engine, 'script_calls', 'run_id'),
    createDeletePortion(engine, 'oauth_codes', 'code'),
    createDeletePortion(engine, 'refresh_tokens', 'token_hash'),
  ];

  return {
    users: createUsers(sql, { hasSignInProvider }),
    people: createPeople(sql),
    connections: createConnections(sql),
    team: createTeamConnections(sql),
    groups: createGroups(sql),
    directory: createDirectory(sql),
    flows: createFlows(sql),
    leases,
    providerClients: createProviderClients(sql),
    clients: createClients(sql),
    codes: createCodes(sql),
    refreshTokens: createRefreshTokens(sql),
    jots: createJots(sql),
    audit: createAudit(sql),
    auditSegments: createAuditSegments(sql),
    auditPushes: createAuditPushes(sql),
    callDetails: createCallDetails(sql),
    executionKeys: createExecutionKeys(sql),
    events,
    eventForwards: createEventForwards(sql),
    usage: createUsage(engine, sql),
    keyCheck: createSwappedText(sql, 'key_check'),
    dataKeys: createSwappedText(sql, 'data_keys'),
    revocations: createPendingRevocations(sql),
    imports: createImports(sql),
    importPages: createImportPages(sql),
    agentKeys: createAgentKeys(sql),
    machines: createMachines(sql),
    policies: createPolicies(sql),
    approvals: createApprovals(sql),
    outsideReads: createOutsideReads(sql),
    tasks: createTasks(sql),
    sets: createSets(sql),
    serviceKeys: createServiceKeys(sql),
    serviceActors: createServiceActors(sql),
    actorLinks: createActorLinks(sql),
    outbox: createOutboxStore(sql),
    scripts: createScripts(sql),
    scriptRuns: createScriptRuns(sql),
    async sweep(now) {
      for (const deletePortion of sweeps) if (await deletePortion(now)) return true;
      return events.expire(now);
    },
    backfill: createRunBackfills(engine, sql, leases, backfills),
    close: () => engine.close(),
  };
}
