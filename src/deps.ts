// Makes the core's shared parts once, from what an adapter brings.
import { type CurlTokens, createCurlTokens } from './auth/curl-token.ts';
import { type AgentKeys, createAgentKeys } from './auth/agent-keys.ts';
import { type ApiKeys, createApiKeys } from './auth/api-keys.ts';
import { createIsAdministrator } from './auth/administrators.ts';
import { type AccessTokens, createAccessTokens } from './auth/access-token.ts';
import { createSessionKeys, type SessionKeys } from './auth/session-key.ts';
import { createSessions, type Sessions } from './auth/session.ts';
import { type CallDetails, createCallDetails } from './audit/details/details.ts';
import { type AuditRecorder, createAuditRecorder } from './audit/recorder.ts';
import { createEraseAudit, type EraseAudit } from './audit/sealing/erasure.ts';
import { createSealing, type Sealing } from './audit/sealing/sealing.ts';
import { type CookieLogins, createCookieLogins } from './connections/cookies/cookie-login.ts';
import { type Connected, createConnected, type TeamUses } from './connections/connected.ts';
import { type ConnectLinks, createConnectLinks } from './connections/links.ts';
import { type Confirmations, createConfirmations } from './connections/oauth/confirmations.ts';
import { createOAuthFlows, type OAuthFlows } from './connections/oauth/oauth-flows.ts';
import { createCredentialCache, type CredentialCache } from './connections/open-credential.ts';
import { createRegisteredClients, type RegisteredClients } from './connections/oauth/registered-clients.ts';
import { createTokenSource, type TokenSource } from './connections/oauth/tokens.ts';
import type { Checks } from './connections/check.ts';
import { createChecks } from './connections/calls/checks.ts';
import { createDisconnects } from './connections/calls/disconnects.ts';
import type { Disconnects } from './connections/disconnect.ts';
import { createSendProbe } from './connections/calls/probe.ts';
import { createRoutes, type Routes } from './connections/calls/route.ts';
import { createUpstream, type OpenUpstream } from './connections/calls/upstream.ts';
import { createStandings, type Standings } from './connections/standing.ts';
import { createMayConnectForTeam, type MayConnectForTeam } from './connections/team.ts';
import { createRollUsage, type RollUsage } from './usage/roll.ts';
import { createVault, type Vault } from './connections/vault.ts';
import { HASHES_AT_ONCE, HASHES_WAITING } from './config/limits.ts';
import { createSeal, type Seal } from './crypto/seal.ts';
import { importSigningKey } from './crypto/signing-key.ts';
import { createEgress, type Egress } from './egress/door.ts';
import { type AddressCounts, createAddressCounts } from './http/address-limits.ts';
import { createSendJson, type SendJson } from './http/large-json.ts';
import { createReadLargeBody, type ReadLargeBody } from './http/request-body.ts';
import { createRunningWork, type RunningWork } from './auth/running-work.ts';
import { createEndings, createEndingsCache, type Endings, type EndingsCache } from './auth/endings.ts';
import { createErasures, type Erasures } from './people/erasures.ts';
import { createFiles, type Files } from './files/files.ts';
import { createFilesIntegration } from './files/integration.ts';
import { createOpenToolFiles } from './files/tool-files.ts';
import { createFileUploads, type FileUploads } from './files/uploads.ts';
import type { Integration, OpenToolFiles } from './kit/integration.ts';
import { enabledProviders } from './login/providers.ts';
import { createJotsIntegration } from './jots/integration.ts';
import { createJots, type Jots } from './jots/jots.ts';
import { createJotCache, type JotCache } from './jots/serving/reader.ts';
import { createWaitingViews, type WaitingViews } from './jots/serving/views.ts';
import { createFailedUnlocks, type FailedUnlocks } from './jots/serving/failed-unlocks.ts';
import type { Blobs } from './ports/blobs.ts';
import type { Ports } from './ports/ports.ts';
import type { SharedCounts } from './ports/shared-counts.ts';
import { createStoredResults, type StoredResults } from './results/stored-results.ts';
import { createFairQueue, type FairQueue } from './memory/fair-queue.ts';
import { createMemoryBudget, type MemoryBudget } from './memory/budget.ts';
import { createRegistrations, type Registrations } from './oauth/registrations.ts';
import { createApprovals } from './policy/approvals.ts';
import { type ClientUses, createClientUses } from './policy/client-uses.ts';
import { createGate, type Gate } from './policy/gate.ts';
import { createPermissions } from './policy/permissions.ts';
import { createRuns } from './policy/runs.ts';
import { createVisibility, type Visibility } from './policy/visibility.ts';
import { createSettleApprovals, type SettleApprovals } from './policy/settle.ts';
import { type CallCounts, createCallCounts } from './memory/per-person.ts';
import { createInFlight, type InFlight } from './calls/in-flight.ts';
import { createDynamicProviders } from './imports/oauth/dynamic-providers.ts';
import { createLookForSignIn } from './imports/oauth/look-for-sign-in.ts';
import type { DynamicProviders } from './connections/oauth/provider.ts';
import { hostsOf } from './kit/known-hosts.ts';
import type { Registries } from './kit/registries.ts';
import { createRegistry, type Registry } from './kit/registry.ts';
import { createFindSource } from './imports/find-source.ts';
import { createImports, type Imports } from './imports/imports.ts';
import { createBuildImport } from './imports/integration.ts';
import type { McpClients } from './imports/mcp/client.ts';
import { createMcpClients } from './imports/mcp/clients.ts';
import { createRegistries } from './imports/overlay.ts';
import { createReach } from './imports/reach.ts';
import { createImportSettings } from './imports/settings.ts';

/** What an adapter brings: the ports and the built-in integrations. */
export interface GatewayPorts extends Ports {
  integrations: readonly Integration[];
  /** The bucket or folder of AUDIT_HEADS, where it names one. */
  auditHeads?: Blobs | undefined;
  /** True where a request may use only connections that it has opened itself, as on an edge runtime. */
  isIsolated?: boolean;
  /** Set where several processes are one gateway behind one port. decision: 137 */
  sharedCounts?: SharedCounts | undefined;
}

/** State without connections: an adapter that makes several `Deps` shares one of these among them. */
export interface Shared {
  jotCache: JotCache;
  waitingViews: WaitingViews;
  openedCredentials: CredentialCache;
  routes: Routes;
  /** Counts wrong passwords of jots. */
  failedUnlocks: FailedUnlocks;
  registrations: Registrations;
  addressCounts: AddressCounts;
  clientUses: ClientUses;
  teamUses: TeamUses;
  endingsCache: EndingsCache;
}

export const createShared = ({
  clock,
  sharedCounts,
}: Pick<GatewayPorts, 'clock' | 'sharedCounts'>): Shared => ({
  jotCache: createJotCache(),
  waitingViews: createWaitingViews({ clock }),
  openedCredentials: createCredentialCache(),
  routes: createRoutes(clock),
  failedUnlocks: createFailedUnlocks({ clock, sharedCounts }),
  registrations: createRegistrations(clock),
  addressCounts: createAddressCounts({ clock, sharedCounts }),
  clientUses: createClientUses(),
  teamUses: new Map(),
  endingsCache: createEndingsCache(),
});

export interface Deps extends GatewayPorts, Shared {
  accessTokens: AccessTokens;
  agentKeys: AgentKeys;
  apiKeys: ApiKeys;
  audit: AuditRecorder;
  confirmations: Confirmations;
  calls: CallCounts;
  callDetails: CallDetails;
  checks: Checks;
  connected: Connected;
  cookieLogins: CookieLogins;
  curlTokens: CurlTokens;
  disconnects: Disconnects;
  dynamicProviders: DynamicProviders;
  egress: Egress;
  endings: Endings;
  eraseAudit: EraseAudit;
  erasures: Erasures;
  executions: InFlight;
  files: Files;
  fileUploads: FileUploads;
  gate: Gate;
  /** Everything that people hash slowly waits here. */
  hashing: FairQueue;
  imports: Imports;
  jots: Jots;
  mcp: McpClients;
  links: ConnectLinks;
  mayConnectForTeam: MayConnectForTeam;
  memoryBudget: MemoryBudget;
  oauthFlows: OAuthFlows;
  openToolFiles: OpenToolFiles;
  openUpstream: OpenUpstream;
  readLargeBody: ReadLargeBody;
  /** The OAuth clients of the gateway at providers. */
  registeredClients: RegisteredClients;
  /** What each person can use. */
  registries: Registries;
  /** The built-in integrations. */
  registry: Registry;
  results: StoredResults;
  runningWork: RunningWork;
  rollUsage: RollUsage;
  seal: Seal;
  sealing: Sealing;
  sendJson: SendJson;
  sessionKeys: SessionKeys;
  sessions: Sessions;
  settleApprovals: SettleApprovals;
  /** SESSION_SECRET, imported once. */
  signingKey: CryptoKey;
  standings: Standings;
  tokens: TokenSource;
  vault: Vault;
  visibility: Visibility;
}

export async function createDeps(ports: GatewayPorts, shared = createShared(ports)): Promise<Deps> {
  const { config, clock, random } = ports;
  const { ENCRYPTION_KEY, ENCRYPTION_KEY_PREVIOUS } = config;
  const previous = ENCRYPTION_KEY_PREVIOUS === undefined ? [] : [ENCRYPTION_KEY_PREVIOUS];
  const seal = await createSeal([ENCRYPTION_KEY, ...previous], random);
  const signingKey = await importSigningKey(config.SESSION_SECRET);
  const sessionKeys = createSessionKeys(ports);
  const egress = createEgress({ ...ports, hosts: hostsOf(ports.integrations) });
  const endings = createEndings({ ...ports, ...shared });
  const runningWork = createRunningWork({ ...ports, endings });
  const memoryBudget = createMemoryBudget(ports.memory);
  const hashing = createFairQueue({ maxRunning: HASHES_AT_ONCE, maxWaitingPerOwner: HASHES_WAITING });
  const jots = createJots({ ...ports, ...shared, hashing });
  const files = createFiles({ ...ports, seal });
  const fileUploads = createFileUploads({ ...ports, files, memoryBudget, seal });
  const vault = createVault({ ...ports, seal });
  const mayConnectForTeam = createMayConnectForTeam({
    ...ports,
    isAdministrator: createIsAdministrator(enabledProviders(config).length > 0),
  });
  const registeredClients = createRegisteredClients({ ...ports, seal });
  const dynamicProviders = createDynamicProviders({ ...ports, egress, seal });
  const tokens = createTokenSource({
    ...ports,
    ...shared,
    dynamicProviders,
    egress,
    registeredClients,
    vault,
  });
  const sendProbe = createSendProbe({ ...shared, egress });
  const checks = createChecks({ ...ports, sendProbe, tokens, vault });
  const standings = createStandings({ ...ports, checks });
  const registry = createRegistry([
    ...ports.integrations,
    createJotsIntegration(jots),
    createFilesIntegration(files, fileUploads),
  ]);
  const openUpstream = createUpstream({ ...ports, ...shared, standings, tokens, vault });
  const mcp = createMcpClients({ ...ports, hold: runningWork.hold });
  const reach = createReach({ egress, openUpstream, tokens });
  const settings = createImportSettings({ seal });
  const buildImport = createBuildImport({ ...ports, mcp, reach, settings });
  const registries = createRegistries({ ...ports, builtIn: registry, buildImport });
  const connected = createConnected({ ...ports, ...shared, vault });
  const disconnects = createDisconnects({
    ...ports,
    checks,
    dynamicProviders,
    egress,
    registeredClients,
    registries,
    seal,
    sendProbe,
    vault,
  });
  const lookForSignIn = createLookForSignIn({ ...ports, egress });
  const findSource = createFindSource({ ...ports, egress, lookForSignIn, mcp, reach });
  const imports = createImports({
    ...ports,
    connected,
    disconnects,
    findSource,
    mcp,
    reach,
    registries,
    seal,
  });
  vault.onSaved(imports.saved);
  // An approval of one account must not serve another, even if the gateway stops while it stores the other.
  const endApprovals = (userId: string, integration: string) =>
    ports.store.approvals.end(userId, integration);
  vault.onSaving(endApprovals);
  vault.onSaved(endApprovals);
  const results = createStoredResults({ ...ports, seal });
  const sealing = createSealing({ ...ports, egress });
  const eraseAudit = createEraseAudit(ports, sealing.readKey);
  const erasures = createErasures({
    ...ports,
    disconnects,
    eraseAudit,
    files,
    imports,
    jots,
    registries,
    results,
  });
  const audit = createAuditRecorder(ports);
  const agentKeys = createAgentKeys(ports);
  const calls = createCallCounts(ports);
  const settleApprovals = createSettleApprovals({ ...ports, audit });
  const approvals = createApprovals({ ...ports, runs: createRuns(ports), seal, settleApprovals });
  const permissionsOf = createPermissions({ ...ports, ...shared });
  const gate = createGate({ ...ports, approvals, calls, permissionsOf });
  return {
    ...ports,
    ...shared,
    accessTokens: createAccessTokens(ports, signingKey),
    agentKeys,
    apiKeys: createApiKeys({ ...ports, hashing, seal }),
    audit,
    confirmations: createConfirmations({ ...ports, seal }),
    calls,
    callDetails: createCallDetails({ ...ports, seal }),
    checks,
    connected,
    cookieLogins: createCookieLogins({ ...ports, checks, egress, runningWork, sessionKeys, vault }),
    curlTokens: await createCurlTokens(config.SESSION_SECRET, clock, agentKeys, endings),
    disconnects,
    dynamicProviders,
    egress,
    endings,
    eraseAudit,
    erasures,
    executions: createInFlight(),
    files,
    fileUploads,
    gate,
    hashing,
    imports,
    mcp,
    jots,
    links: createConnectLinks({ ...ports, signingKey }),
    mayConnectForTeam,
    memoryBudget,
    oauthFlows: createOAuthFlows({
      ...ports,
      checks,
      dynamicProviders,
      egress,
      mayConnectForTeam,
      registeredClients,
      registries,
      vault,
    }),
    openToolFiles: createOpenToolFiles(files),
    openUpstream,
    readLargeBody: createReadLargeBody({ memoryBudget }),
    registeredClients,
    registries,
    registry,
    results,
    runningWork,
    rollUsage: createRollUsage(ports),
    seal,
    sealing,
    sendJson: createSendJson({ memoryBudget }),
    sessionKeys,
    sessions: createSessions(signingKey, clock),
    settleApprovals,
    signingKey,
    standings,
    tokens,
    vault,
    visibility: createVisibility({ gate, registries }),
  };
}
