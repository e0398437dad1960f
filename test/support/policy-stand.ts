// A gateway with a person whose calls are judged by rules: tools that note what they ran, and the decisions of the person.
import * as z from 'zod';
import type { Decision, Limits, Rule } from '../../src/kit/actor.ts';
import { defineIntegration, type Integration, tool } from '../../src/kit/integration.ts';
import type { ApprovalRecord } from '../../src/ports/policy.ts';
import { EVERYONE } from '../../src/ports/store.ts';
import { call } from './mcp.ts';
import { createTestApp, type Options, type TestApp, type TestUser } from './test-app.ts';

export type Headers = Record<string, string>;
export type Decided = { decision: 'approve'; for?: 'once' | 'hour' } | { decision: 'deny'; reason?: string };

export interface Ran {
  tool: string;
  args: unknown;
}

interface Answered {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

export interface PolicyStand {
  app: TestApp;
  ana: TestUser;
  /** The headers of the person's personal key. */
  key: Headers;
  /** What the tools of `ledger` have run. */
  ran: Ran[];
  /** Stores the rules of a person. */
  putRules(rules: readonly Rule[], owner?: string): Promise<void>;
  /** Stores the rules of everyone. */
  putEveryone(rules: readonly Rule[]): Promise<void>;
  /** Stores what an OAuth client of the person may do. */
  putGrant(limits: Limits, clientId?: string): Promise<void>;
  mintKey(limits?: Limits, user?: TestUser): Promise<{ id: string; headers: Headers }>;
  token(scope: string, clientId?: string): Headers;
  /** Sends a request with a body of JSON. */
  send(headers: Headers, method: string, path: string, body?: unknown): Promise<Answered>;
  /** Runs a batch over MCP. */
  // oxlint-disable-next-line typescript/no-explicit-any
  batch(headers: Headers, executions: readonly object[]): Promise<any[]>;
  /** Runs one tool over MCP. */
  // oxlint-disable-next-line typescript/no-explicit-any
  run(headers: Headers, name: string, args?: unknown, more?: object): Promise<any>;
  /** Runs a tool that must be asked about, and returns the id of the question. */
  ask(headers: Headers, name: string, args?: unknown): Promise<string>;
  /** Decides as the person in the portal, and returns the status. */
  decide(id: string, decided: Decided, headers?: Headers): Promise<number>;
  approve(id: string, covers?: 'once' | 'hour'): Promise<void>;
  row(id: string): Promise<ApprovalRecord>;
  close(): Promise<void>;
}

export const ask = (name: string): Rule => ({ tool: name, decision: 'ask' });
export const rule = (decision: Decision, more: Omit<Rule, 'decision'> = {}): Rule => ({ ...more, decision });

/** `description` and `amount` change the definition of its first tool. */
export function ledgerWith(ran: Ran[], description = 'Posts an entry', amount: z.ZodType = z.unknown()) {
  const note = (name: string) => (args: unknown) => {
    ran.push({ tool: name, args });
    return { done: name };
  };
  return defineIntegration({
    name: 'ledger',
    version: '1.0.0',
    displayName: 'Ledger',
    description: 'Notes what it is told',
    categories: ['test'],
    logo: null,
    auth: { type: 'none' },
    tools: [
      tool(
        'ledger_post',
        description,
        () => ({
          amount: amount.optional(),
          to: z.string().default('main'),
          lines: z.array(z.unknown()).optional(),
          more: z.record(z.string(), z.unknown()).optional(),
        }),
        note('ledger_post'),
        'write',
      ),
      tool('ledger_erase', 'Erases an entry', () => ({ id: z.string() }), note('ledger_erase'), 'destroy'),
      tool('ledger_read', 'Reads entries', () => ({ page: z.number().default(1) }), note('ledger_read')),
      tool(
        'ledger_fail',
        'Fails',
        () => ({}),
        () => {
          ran.push({ tool: 'ledger_fail', args: {} });
          throw new Error('the ledger is closed');
        },
        'write',
      ),
    ],
  });
}

interface StandOptions extends Options {
  rules?: readonly Rule[];
  integrations?: readonly Integration[];
}

export async function openPolicyStand({
  rules = [],
  integrations = [],
  ...options
}: StandOptions = {}): Promise<PolicyStand> {
  const ran: Ran[] = [];
  const app = await createTestApp({
    ...options,
    ports: { integrations: [ledgerWith(ran), ...integrations], ...options.ports },
  });
  const ana = await app.user();
  const { store, random } = app.deps;
  const now = () => app.deps.clock.now();
  const stand: PolicyStand = {
    app,
    ana,
    key: ana.keyHeader,
    ran,
    putRules: (list, owner = ana.id) =>
      store.policies.putRules({
        owner,
        rules: JSON.stringify(list),
        revision: random.uuid(),
        updated_at: now(),
      }),
    putEveryone: (list) => stand.putRules(list, EVERYONE),
    putGrant: (limits, client_id = 'client-1') =>
      store.policies.putGrant({
        user_id: ana.id,
        client_id,
        limits: JSON.stringify(limits),
        expires_at: null,
        revision: random.uuid(),
        updated_at: now(),
        last_used_at: null,
        paused_at: null,
      }),
    async mintKey(limits = {}, user = ana) {
      const minted = await app.deps.agentKeys.mint(user.id, { name: 'robot', limits, expiresAt: null });
      if (minted === null) throw new Error('the person has too many keys');
      return { id: minted.record.id, headers: { 'x-service-api-key': minted.key } };
    },
    token: (scope, clientId = 'client-1') => ({
      authorization: `Bearer ${app.deps.accessTokens.issue({ userId: ana.id, clientId, scope })}`,
    }),
    async send(headers, method, path, body) {
      const response = await app.request(path, {
        method,
        headers: { ...headers, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
    },
    batch: async (headers, executions) => (await call(app, headers, 'execute_tools', { executions })).results,
    run: async (headers, name, args = {}, more = {}) =>
      (await stand.batch(headers, [{ tool: name, args, ...more }]))[0],
    async ask(headers, name, args) {
      const asked = await stand.run(headers, name, args);
      if (asked.error !== 'APPROVAL_REQUIRED') throw new Error(`was not asked: ${JSON.stringify(asked)}`);
      return asked.approval.id;
    },
    decide: async (id, decided, headers = ana.sessionHeader) =>
      (await stand.send(headers, 'POST', `/api/approvals/${id}`, decided)).status,
    async approve(id, covers = 'once') {
      const status = await stand.decide(id, { decision: 'approve', for: covers });
      if (status !== 200) throw new Error(`the approval answered ${status}`);
    },
    async row(id) {
      const row = await store.approvals.get(ana.id, id);
      if (row === null) throw new Error(`there is no approval ${id}`);
      return row;
    },
    close: () => app.close(),
  };
  await stand.putRules(rules);
  return stand;
}
