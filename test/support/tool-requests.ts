// Tests a table of tools: arguments → expected requests. And runs a tool against a fake API.
import { expect, it } from 'vitest';
import type { Integration, ToolContext } from '../../src/kit/integration.ts';
import { run, sent } from './capture.ts';
import { createFakeClock } from './fake-clock.ts';
import { createMemoryFiles } from './memory-files.ts';

export type RequestRow = readonly [
  name: string,
  args: object,
  requests: string | readonly string[],
  answers?: readonly unknown[],
];

/** Every tool of the integration must have a row. */
export function testRequests(integration: Integration, rows: readonly RequestRow[]): void {
  for (const [name, args, requests, answers] of rows) {
    it(`${name} ${JSON.stringify(args)}`, async () => {
      expect(await sent(integration, name, args, answers)).toEqual([requests].flat());
    });
  }

  it('has a row here for every tool', () => {
    expect(new Set(rows.map(([name]) => name))).toEqual(new Set(integration.tools.map(({ name }) => name)));
  });
}

/** Runs a tool. What the context does not say refuses everything, or is empty. */
export function runAgainst(
  integration: Integration,
  name: string,
  args: object,
  context: Partial<ToolContext>,
): Promise<unknown> {
  return run(integration, name, args, {
    userId: 'u',
    clock: createFakeClock(),
    files: createMemoryFiles(),
    upstream: () => Promise.reject(new Error('no API')),
    fetch: () => Promise.reject(new Error('no network')),
    ...context,
  });
}
