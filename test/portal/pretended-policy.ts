// Pretends that the gateway has rules, keys and applications in any number, for looks that a fresh gateway cannot have.

import type { NamedKey } from '../../portal/api/agent-keys.ts';
import type { Agent, Limits } from '../../portal/api/agents.ts';

const NOW = Math.floor(Date.now() / 1000);
const DAY = 86_400;

const LONG =
  'The agent of the whole department that reads every ticket, writes the weekly report and never sleeps';
const WORD = 'W'.repeat(80);

type KeyLimits = Pick<NamedKey, keyof Limits>;

const LIMITS: readonly KeyLimits[] = [
  {},
  { access: 'read', integrations: ['github', 'slack'], perMinute: 30, expiresAt: NOW + 20 * DAY },
  { access: 'write', expiresAt: NOW + 400 * DAY },
  {
    integrations: ['github', 'gitlab', 'jira', 'linear', 'notion', 'slack', 'sentry', 'time'],
    rules: [{ access: 'destroy', decision: 'ask' }],
  },
  { access: 'read', expiresAt: NOW - 3 * DAY },
  {
    access: 'write',
    rules: [
      { decision: 'block' },
      { tool: 'time_now', decision: 'allow' },
      { tool: 'delete_jot', decision: 'allow' },
      { tool: `gone_${'w'.repeat(59)}`, decision: 'allow' },
    ],
  },
];

export function manyKeys(count: number): NamedKey[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `key-${index}`,
    name: index === 1 ? LONG : index === 2 ? WORD : `Agent ${index}`,
    ...LIMITS[index % LIMITS.length],
    createdAt: NOW - index * DAY,
    lastUsedAt: index % 3 === 2 ? null : NOW - index * 700,
  }));
}

export function manyAgents(count: number): Agent[] {
  return Array.from({ length: count }, (_, index) => ({
    client_id: `https://client-${index}.example.com/oauth/client.json`,
    client_name: index === 1 ? LONG : `Client ${index}`,
    scopes: index === 2 ? ['mcp:read'] : ['mcp'],
    connected_since: NOW - (index + 1) * DAY,
    expires_at: NOW + 30 * DAY,
    limits: LIMITS[index % LIMITS.length] ?? {},
    last_used_at: index % 3 === 2 ? null : NOW - index * 500,
  }));
}
