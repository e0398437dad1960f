// Runs scripts over tools that note what they did, in one or several gateways on one store.
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { createQuickJsRunner } from '../../drivers/scripts/quickjs.ts';
import { integrations } from '../../integrations/all.ts';
import { defineIntegration, tool } from '../../src/kit/integration.ts';
import type { Store } from '../../src/ports/store.ts';
import { fixtures } from './fixtures.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';
import { send } from './policy.ts';
import { createTestApp, type TestApp, type TestUser } from './test-app.ts';

// All gateways of a test file share its threads.
export const runner = createQuickJsRunner();

export interface Notes {
  /** What was written, in its order. */
  written: string[];
  read: string[];
  /** Decides what a write does. It returns at once unless a test says otherwise. */
  onWrite: (text: string) => Promise<unknown>;
}

export function createNotes(): Notes {
  return { written: [], read: [], onWrite: async () => {} };
}

export const notesIntegration = (notes: Notes) =>
  defineIntegration({
    version: '1.0.0',
    description: 'Notes',
    categories: ['test'],
    logo: null,
    name: 'memo',
    displayName: 'Memo',
    auth: { type: 'none' },
    tools: [
      tool(
        'memo_add',
        'Adds a note',
        () => ({ text: z.string() }),
        async ({ text }) => {
          notes.written.push(text);
          await notes.onWrite(text);
          return { id: notes.written.length, text };
        },
        'write',
      ),
      tool(
        'memo_remove',
        'Removes a note',
        () => ({ text: z.string() }),
        ({ text }) => {
          notes.written.push(`-${text}`);
          return { removed: text };
        },
        'destroy',
      ),
      tool(
        'memo_get',
        'Reads a note',
        () => ({ text: z.string() }),
        ({ text }) => {
          notes.read.push(text);
          return { text };
        },
      ),
      tool(
        'memo_page',
        'Reads a page of long notes',
        () => ({ page: z.int(), characters: z.int().default(900_000) }),
        ({ page, characters }) => ({ page, notes: [{ title: `t${page}`, text: 'x'.repeat(characters) }] }),
      ),
    ],
  });

export interface ScriptStand {
  app: TestApp;
  clock: ManualClock;
  notes: Notes;
  user: TestUser;
  key: Record<string, string>;
  /** Runs a script as an agent does, with the same call each time. */
  script(code: string, more?: object, headers?: Record<string, string>, app?: TestApp): Promise<Ran>;
  /** Goes on with a run. */
  resume(run: string): Promise<Ran>;
  rules(rules: object[]): Promise<void>;
  decide(id: string, decision: 'approve' | 'deny'): Promise<void>;
  /** Another gateway on the same store. */
  other(store?: Store, env?: Record<string, string>): Promise<TestApp>;
  /** Ends the scripts of the other gateways, as a gateway does that stops. */
  stopOthers(): Promise<unknown>;
  close(): Promise<void>;
}

export interface Ran {
  result?: unknown;
  error?: string;
  message?: string;
  approval?: { id: string; url: string; expiresAt: number };
  script?: { run: string; log?: string };
}

interface Given {
  env?: Record<string, string>;
  /** A store that the stand does not close. Its person is a new one. */
  store?: Store;
}

export async function openScripts({ env = {}, store: given }: Given = {}): Promise<ScriptStand> {
  const clock = createManualClock();
  const notes = createNotes();
  const ports = {
    clock,
    integrations: [...integrations, ...fixtures, notesIntegration(notes)],
    scriptRunner: runner,
    ...(given === undefined ? {} : { store: { ...given, close: async () => {} } }),
  };
  const app = await createTestApp({ env, ports });
  const user = await app.user(`${randomUUID()}@example.com`);
  /** A gateway that is lost keeps its threads, so each has a runner of its own. */
  const runners: ReturnType<typeof createQuickJsRunner>[] = [];
  const stopOthers = () => Promise.all(runners.map((each) => each.close()));
  async function execute(target: TestApp, headers: Record<string, string>, args: object): Promise<Ran> {
    const executions = [{ tool: 'script_run', args }];
    return (await send(target, headers, 'POST', '/rest/scripts', { executions })).body.results[0];
  }
  return {
    app,
    clock,
    notes,
    user,
    key: user.keyHeader,
    script: (code, more = {}, headers = user.keyHeader, target = app) =>
      execute(target, headers, { code, ...more }),
    resume: (run) => execute(app, user.keyHeader, { resume: run }),
    async rules(rules) {
      const answer = await send(app, user.sessionHeader, 'PUT', '/api/policy', { rules });
      if (answer.status !== 200) throw new Error(JSON.stringify(answer));
    },
    async decide(id, decision) {
      const answer = await send(app, user.sessionHeader, 'POST', `/api/approvals/${id}`, { decision });
      if (answer.status !== 200) throw new Error(JSON.stringify(answer));
    },
    other(store = app.deps.store, more = {}) {
      const scriptRunner = createQuickJsRunner();
      runners.push(scriptRunner);
      return createTestApp({ env: { ...env, ...more }, ports: { ...ports, scriptRunner, store } });
    },
    stopOthers,
    async close() {
      await stopOthers();
      // The store belongs to the first of them.
      await app.close();
    },
  };
}
