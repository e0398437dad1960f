// What the application is, on whatever it runs: the same sentences over HTTP, on every adapter and every engine.
// design: Bars, Correct. What may differ is where raw streams and browsers are: `proxies`.
import { afterAll, beforeAll, describe } from 'vitest';
import { agentSentences } from './app/agents.ts';
import { connectionSentences } from './app/connections.ts';
import { jotSentences } from './app/jots.ts';
import { oauthSentences } from './app/oauth.ts';
import { portalSentences } from './app/portal.ts';
import { toolSentences } from './app/tools.ts';
import { openWorld, type Person, type Running, type World } from './app/world.ts';

// A busy machine takes its time to bundle a Worker.
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
    describe('agents', () => agentSentences(at));
    describe('tools over /rest', () => toolSentences(at));
    describe('MCP clients', () => oauthSentences(at));
    describe('the portal', () => portalSentences(at));
    describe('connections', () => connectionSentences(at));
    describe('jots', () => jotSentences(at));
  });
}
