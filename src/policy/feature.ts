// What callers may do: rules, approvals and the limits of keys.
import { AGENT_KEYS_PER_PERSON } from '../auth/limits.ts';
import type { ConnectionChange } from '../kit/connection-change.ts';
import type { Feature, Round } from '../kit/feature.ts';
import type { Notify } from '../kit/notice.ts';
import { parseLimits, parseRules, RulesShape } from '../kit/limits.ts';
import type { ApprovalRecord } from '../ports/policy.ts';
import type { Ports } from '../ports/ports.ts';
import { approval, approvalOperations } from './approval-operations.ts';
import { tellOfExpiry } from './tell-of-expiry.ts';
import { createApprovalRoutes } from './approval-routes.ts';
import { createApprovals } from './model/approvals.ts';
import { createClientUses } from './model/client-uses.ts';
import { createGate } from './model/gate.ts';
import { QUESTION_BYTES_PER_PERSON, QUESTIONS_PER_PERSON } from './model/limits.ts';
import { keyOperations } from './key-operations.ts';
import { createKeyRoutes } from './key-routes.ts';
import { createOutside } from './model/outside.ts';
import { createRecordPause } from './model/record-pause.ts';
import { createPermissions } from './model/permissions.ts';
import { createRequireEveryCall } from './require-every-call.ts';
import { createRequireTool } from './require-tool.ts';
import { rulesOperations } from './rules-operations.ts';
import { createRulesRoutes } from './rules-routes.ts';
import { createRuns } from './model/runs.ts';
import { createSettleApprovals, type SettleApprovals } from './model/settle.ts';
import { createVisibility } from './model/visibility.ts';
import { createWaitForDecisions } from './model/wait.ts';

type Stored = Pick<Ports, 'store'>;

/** The approvals of a person that an export lists at most. */
const EXPORTED = 500;

export const policyFeature = {
  name: 'policy',
  shared: { clientUses: createClientUses },
  parts: {
    approvals: createApprovals,
    gate: createGate,
    outside: createOutside,
    permissionsOf: createPermissions,
    recordPause: createRecordPause,
    requireEveryCall: createRequireEveryCall,
    requireTool: createRequireTool,
    runs: createRuns,
    settleApprovals: createSettleApprovals,
    visibility: createVisibility,
    waitForDecisions: createWaitForDecisions,
  },
  routes: { portal: [createKeyRoutes, createRulesRoutes, createApprovalRoutes] },
  operations: [keyOperations, rulesOperations, approvalOperations],
  schemas: () => [
    { name: 'Approval', schema: approval(), io: 'output' },
    { name: 'NewRules', schema: RulesShape, io: 'input' },
    { name: 'Rules', schema: RulesShape, io: 'output' },
  ],
  chores: (
    { notify, settleApprovals, store }: Stored & { notify: Notify; settleApprovals: SettleApprovals },
    { now, purge, repeat }: Round,
  ) => ({
    approvals: () => repeat(() => settleApprovals.portion()),
    'keys that expire': () => (purge ? tellOfExpiry(store, notify, now) : undefined),
  }),
  personal: {
    show:
      ({ store }: Stored) =>
      async (userId) => {
        const [keys, groups] = await Promise.all([store.agentKeys.list(userId), store.groups.of(userId)]);
        const namedKeys = keys.map(({ name, last_used_at }) => ({
          name,
          ...(last_used_at === null ? {} : { lastUsedAt: last_used_at }),
        }));
        return { namedKeys, ...(groups === null ? {} : { groups: [...groups] }) };
      },
    export:
      ({ store }: Stored) =>
      ({ id }) => ({
        async rules() {
          const { own } = await store.policies.read(id, null);
          return own === null ? [] : parseRules(own.rules);
        },
        groups: async () => ((await store.groups.of(id)) ?? []).map((name) => ({ name })),
        async namedKeys() {
          const keys = await store.agentKeys.list(id);
          return keys.map(({ key_sha: _, user_id: __, limits, ...key }) => ({
            ...key,
            limits: parseLimits(limits),
          }));
        },
        approvals: async () =>
          (await store.approvals.list({ user_id: id, limit: EXPORTED })).map(describeApproval),
      }),
  },
  limits:
    ({ store }: Stored) =>
    async (userId) => {
      const [keys, questions] = await Promise.all([
        store.agentKeys.list(userId),
        store.approvals.waiting(userId),
      ]);
      return [
        { name: 'keys', used: keys.length, limit: AGENT_KEYS_PER_PERSON },
        { name: 'questions', used: questions.count, limit: QUESTIONS_PER_PERSON },
        { name: 'questionBytes', used: questions.sealed, limit: QUESTION_BYTES_PER_PERSON },
      ];
    },
  // An approval of one account must not serve another, even if the gateway stops while it stores the other.
  connectionChanged:
    ({ store }: Stored) =>
    async ({ kind, userId, integration }: ConnectionChange) => {
      if (kind !== 'disconnected') await store.approvals.end(userId, integration);
    },
} satisfies Feature;

/** The arguments of the calls are sealed and stay out. */
function describeApproval(row: ApprovalRecord) {
  const { id, state, caller, caller_name, integration, tool, access, account, because, reason } = row;
  const { created_at, expires_at, decided_at, ran_at, ended_at } = row;
  const times = { created_at, expires_at, decided_at, ran_at, ended_at };
  return { id, state, caller, caller_name, integration, tool, access, account, because, reason, ...times };
}
