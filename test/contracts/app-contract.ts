// Tests the whole application over HTTP, with the same tests on every adapter and engine.
// reference: Runtimes; decision: 007. Only `proxies` may differ: raw streams and browsers need a Node process.
import { afterAll, beforeAll, describe } from 'vitest';
import { agentSentences } from './app/agents.ts';
import { approvalSentences } from './app/approvals.ts';
import { connectionSentences } from './app/connections.ts';
import { fileSentences } from './app/files.ts';
import { importSentences } from './app/imports.ts';
import { jotSentences } from './app/jots.ts';
import { oauthSentences } from './app/oauth.ts';
import { portalSentences } from './app/portal.ts';
import { taskSentences } from './app/tasks.ts';
import { setSentences } from './app/sets.ts';
import { toolSentences } from './app/tools.ts';
import { openWorld, type Person, type Running, type World } from './app/world.ts';

// Bundling a Worker is slow on a busy machine.
const START_MS = 180_000;

export interface Subject {
  gateway: Running;
  world: World;
  ana: Person;
}

export function appContract(name: string, start: (env: Record<string, string>) => Promise<Running>): void {
  describe(`the application on ${name}`, () => {
    let subject: Subject | undefined;
    beforeAll(async () => {
      const world = await openWorld();
      const gateway = await start(world.env);
      subject = { gateway, world, ana: await world.person(gateway, 'ana') };
    }, START_MS);
    afterAll(async () => {
      await subject?.gateway.close();
      await subject?.world.close();
    });

    const at = () => {
      if (subject === undefined) throw new Error('it did not start');
      return subject;
    };
    describe('agents over MCP', () => agentSentences(at));
    describe('tools over /rest', () => toolSentences(at));
    describe('sets of tools', () => setSentences(at));
    describe('OAuth clients', () => oauthSentences(at));
    describe('the portal', () => portalSentences(at));
    describe('connections', () => connectionSentences(at));
    describe('approvals', () => approvalSentences(at));
    describe('tasks', () => taskSentences(at));
    describe('imports', () => importSentences(at));
    describe('jots', () => jotSentences(at));
    describe('kept files', () => fileSentences(at));
  });
}
