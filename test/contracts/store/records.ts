// Makes records with every field filled in and ids that no other test uses.
import { randomBytes, randomUUID } from 'node:crypto';
import type {
  AuditEntry,
  AuthorizationCode,
  Connection,
  Flow,
  ImportRecord,
  ImportToolRecord,
  Jot,
  OAuthClient,
  RefreshToken,
} from '../../../src/ports/records.ts';
import { FIRST_ACCOUNT } from '../../../src/ports/records.ts';
import type { ExecutionKey } from '../../../src/ports/execution-keys.ts';
import type { MachineClient, NewRule, TrustedIssuer } from '../../../src/ports/machines.ts';
import type {
  AgentGrant,
  AgentKey,
  ApprovalRecord,
  MostQuestions,
  RulesRecord,
} from '../../../src/ports/policy.ts';
import type { SetRecord } from '../../../src/ports/sets.ts';
import type { BegunFamily, NewUser, SignInProvider, Store, Subject } from '../../../src/ports/store.ts';

export const NOW = 1_800_000_000;
/** The client of the tokens that processes race for. */
export const RACING_CLIENT = 'racing-client';
/** More questions than a test asks. */
export const MANY_QUESTIONS: MostQuestions = { ofCaller: 1_000, ofPerson: 1_000, sealedOfPerson: 2 ** 30 };
export const hash = (): string => randomBytes(32).toString('hex');

export const newUser = (changes: Partial<NewUser> = {}): NewUser => ({
  id: randomUUID(),
  email: `${randomUUID()}@example.com`,
  created_at: NOW,
  ...changes,
});

export const subject = (provider: SignInProvider): Subject => ({
  provider,
  issuer: 'https://id.example',
  subject: hash(),
});

export const connection = (changes: Partial<Connection> = {}): Connection => ({
  user_id: randomUUID(),
  integration: 'github',
  access_token: 'sealed access',
  refresh_token: 'sealed refresh',
  expires_at: NOW + 3600,
  scopes: 'repo user',
  cookies: 'sealed cookies',
  config: '{"region":"eu"}',
  created_at: NOW,
  updated_at: NOW,
  account: FIRST_ACCOUNT,
  label: null,
  is_default: false,
  is_write_default: false,
  team_use: null,
  way: 'oauth2',
  status: 'ok',
  cause: null,
  since: NOW,
  checked_at: NOW,
  account_id: '583231',
  account_label: 'octocat',
  ...changes,
});

export const flow = (changes: Partial<Flow> = {}): Flow => ({
  state: hash(),
  user_id: randomUUID(),
  integration: 'github',
  expires_at: NOW + 600,
  session_data: '{"csrf":"x"}',
  code_verifier: hash(),
  config: 'https://git.example.com',
  ...changes,
});

export const client = (changes: Partial<OAuthClient> = {}): OAuthClient => ({
  client_id: randomBytes(16).toString('hex'),
  client_name: 'An agent',
  redirect_uris: ['http://127.0.0.1/callback', 'agent://callback'],
  created_at: NOW,
  ...changes,
});

export const code = (changes: Partial<AuthorizationCode> = {}): AuthorizationCode => ({
  code: hash(),
  client_id: randomUUID(),
  user_id: randomUUID(),
  redirect_uri: 'http://127.0.0.1:4000/callback',
  code_challenge: hash(),
  scope: 'mcp',
  resource: 'https://gateway.example.com/mcp',
  expires_at: NOW + 60,
  ...changes,
});

export const token = (changes: Partial<RefreshToken> = {}): RefreshToken => ({
  token_hash: hash(),
  family: randomUUID(),
  client_id: randomUUID(),
  user_id: randomUUID(),
  scope: 'mcp',
  created_at: NOW - 1000,
  expires_at: NOW + 1000,
  resource: 'https://gateway.example.com/mcp',
  ...changes,
});

export const toolSet = (changes: Partial<SetRecord> = {}): SetRecord => {
  const owner = changes.owner ?? randomUUID();
  return {
    id: randomUUID(),
    owner,
    name: `set-${hash().slice(0, 12)}`,
    title: 'Réunion d’équipe “α”',
    description: '',
    tools: '["github_list_issues","time_now"]',
    servers: '[]',
    created_by: owner,
    created_at: NOW,
    updated_at: NOW,
    version: hash(),
    ...changes,
  };
};

/** What begins a family that no other test uses. */
export const begun = (changes: Partial<BegunFamily> = {}): BegunFamily => ({
  family: hash(),
  created_at: NOW,
  expires_at: NOW + 60,
  ...changes,
});

/** Stores a token as the redemption of a code does. */
export async function putToken(store: Store, made: RefreshToken): Promise<void> {
  const { client_id, user_id, scope } = made;
  const granted = code({ client_id, user_id, scope });
  await store.codes.put(granted);
  await store.codes.take(granted.code, made);
  await store.refreshTokens.start(made);
}

export const jot = (changes: Partial<Jot> = {}): Jot => ({
  name: hash(),
  user_id: randomUUID(),
  access: 'password',
  password_hash: '$2b$10$hash',
  cors: true,
  cors_chosen: true,
  manifest: `jots/${hash()}/manifest`,
  files: 3,
  bytes: 5_000_000_000,
  held_bytes: 6_000_000_000,
  thumbnail: `jots/${hash()}/thumbnail`,
  views: 7,
  version: hash(),
  created_at: NOW,
  updated_at: NOW,
  ...changes,
});

export const importRecord = (changes: Partial<ImportRecord> = {}): ImportRecord => ({
  id: randomUUID(),
  owner: randomUUID(),
  name: `i${randomBytes(16).toString('hex')}`,
  kind: 'mcp',
  display_name: 'A service',
  description: 'Does things “well”.',
  address: 'https://mcp.example/mcp',
  settings: `sealed ${hash()}`,
  created_by: randomUUID(),
  created_at: NOW,
  updated_at: NOW,
  checked_at: NOW,
  check_error: 'the source did not answer',
  version: hash(),
  ...changes,
});

export const importTool = (
  { id, name }: Pick<ImportRecord, 'id' | 'name'>,
  position: number,
  changes: Partial<ImportToolRecord> = {},
): ImportToolRecord => ({
  import_id: id,
  name: `${name}_tool_${position}`,
  position,
  state: 'changed',
  definition: '{"description":"Says \\"hi\\" \\u0000 – ü 🙂"}',
  digest: hash(),
  found: '{"description":"Says \\"hello\\""}',
  found_digest: hash(),
  ...changes,
});

export const entry = (changes: Partial<AuditEntry> = {}): AuditEntry => ({
  user_id: randomUUID(),
  integration: 'github',
  tool: 'github_list_issues',
  action: 'EXECUTE',
  success: true,
  error: null,
  duration_ms: 12,
  created_at: NOW,
  actor: 'key',
  outcome: 'ok',
  account: null,
  client_name: 'An agent',
  access: 'write',
  request_id: 'r-1',
  approval: null,
  owner: null,
  status: 200,
  details: null,
  script: null,
  ...changes,
});

export const agentKey = (changes: Partial<AgentKey> = {}): AgentKey => ({
  id: randomUUID(),
  user_id: randomUUID(),
  name: 'Ünï 😀 agent',
  key_sha: hash(),
  limits: '{"integrations":["github"],"access":"read"}',
  expires_at: NOW + 3600,
  created_at: NOW,
  last_used_at: NOW,
  paused_at: null,
  ...changes,
});

export const executionKey = (changes: Partial<ExecutionKey> = {}): ExecutionKey => ({
  id: hash(),
  user_id: randomUUID(),
  caller: 'key',
  integration: 'stripe',
  tool: 'stripe_refund_payment',
  digest: hash(),
  state: 'running',
  run: randomUUID(),
  running_until: NOW + 45,
  created_at: NOW,
  expires_at: NOW + 100,
  sealed: null,
  ...changes,
});

export const machineClient = (changes: Partial<MachineClient> = {}): MachineClient => ({
  client_id: randomUUID(),
  user_id: randomUUID(),
  key_id: randomUUID(),
  name: 'Ünï 😀 job',
  secret_sha: hash(),
  jwk: '{"kty":"EC"}',
  created_at: NOW,
  last_used_at: NOW,
  ...changes,
});

export const trustedIssuer = (changes: Partial<TrustedIssuer> = {}): TrustedIssuer => ({
  id: randomUUID(),
  name: 'Ünï 😀 issuer',
  issuer: `https://${randomUUID()}.example`,
  audience: 'https://gateway.example',
  created_by: randomUUID(),
  revision: randomUUID(),
  created_at: NOW,
  ...changes,
});

export const trustedRule = (changes: Partial<NewRule> = {}): NewRule => ({
  id: randomUUID(),
  user_id: randomUUID(),
  key_id: randomUUID(),
  sub: 'repo:acme/web:*',
  claims: '{"environment":"prod"}',
  created_at: NOW,
  last_used_at: null,
  ...changes,
});

export const rules = (changes: Partial<RulesRecord> = {}): RulesRecord => ({
  owner: randomUUID(),
  rules: '[{"tool":"github_create_issue","decision":"ask"}]',
  revision: randomUUID(),
  updated_at: NOW,
  ...changes,
});

export const grant = (changes: Partial<AgentGrant> = {}): AgentGrant => ({
  user_id: randomUUID(),
  client_id: randomUUID(),
  limits: '{"access":"read"}',
  expires_at: NOW + 3600,
  revision: randomUUID(),
  updated_at: NOW,
  last_used_at: NOW,
  paused_at: null,
  ...changes,
});

/** A question as it is asked. Its slot is its digest. */
export function approval(changes: Partial<ApprovalRecord> = {}): ApprovalRecord {
  const digest = changes.digest ?? hash();
  return {
    id: randomUUID(),
    user_id: randomUUID(),
    slot: digest,
    digest,
    state: 'pending',
    covers: null,
    caller: 'key',
    caller_name: null,
    integration: 'github',
    tool: 'github_create_issue',
    access: 'write',
    account: 'octocat',
    owner: null,
    sealed: `sealed ${hash()}`,
    because: null,
    reason: null,
    run: null,
    running_until: null,
    created_at: NOW,
    expires_at: NOW + 3600,
    decided_at: null,
    ran_at: null,
    ended_at: null,
    ...changes,
  };
}
