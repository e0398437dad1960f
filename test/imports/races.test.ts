// Tests imports in two gateways on one database: what happens at the same time, and what one sees of the other.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSchema } from '../../drivers/sql/engine.ts';
import { openAt } from '../contracts/store/open-at.ts';
import { type Place, postgresPlace, sqlitePlace } from '../contracts/store/open.ts';
import { type ChangingServer, startChangingServer, tool } from '../support/changing-server.ts';
import { call } from '../support/mcp.ts';
import { openRaceApp } from '../support/race-app.ts';
import { describeService, postgresUrl } from '../support/services.ts';
import type { TestApp, TestUser } from '../support/test-app.ts';

const RACERS = 10;

function races(name: string, makePlace: () => Promise<Place>): void {
  describe(`two gateways on ${name}`, () => {
    let place: Place;
    let one: TestApp;
    let other: TestApp;
    let ana: TestUser;
    let ben: TestUser;
    const servers: ChangingServer[] = [];

    beforeEach(async () => {
      place = await makePlace();
      const engine = openAt(place.url);
      await createSchema(engine);
      await engine.close();
      one = await openRaceApp(place.url, {});
      other = await openRaceApp(place.url, {});
      ana = await one.user('owner@localhost');
      ben = await one.user('ben@example.com');
    });
    afterEach(async () => {
      for (const app of [one, other]) {
        await app.deps.mcp.close();
        await app.close();
      }
      for (const server of servers.splice(0)) await server.close();
      await place.remove();
    });

    async function serve(
      ...[tools, options]: Parameters<typeof startChangingServer>
    ): Promise<ChangingServer> {
      const server = await startChangingServer(tools, options);
      servers.push(server);
      return server;
    }

    async function send(app: TestApp, method: string, path: string, body?: object, user = ana) {
      const response = await app.request(path, {
        method,
        headers: { ...user.sessionHeader, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: await response.json() };
    }

    async function run(app: TestApp, toolName: string, user = ana) {
      const executions = [{ tool: toolName, args: {} }];
      return (await call(app, user.keyHeader, 'execute_tools', { executions })).results[0];
    }

    const add = (app: TestApp, address: string, more: object = {}, user = ana) =>
      send(app, 'POST', '/api/imports', { address, name: 'acme', ...more }, user);
    const alternate = (index: number): TestApp => (index % 2 === 0 ? one : other);

    it('gives a name once when it is added several times at once', async () => {
      const server = await serve([tool('get')]);
      // A person asks four sources at once.
      const answers = await Promise.all([0, 1, 2, 3].map((index) => add(alternate(index), server.address)));
      expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
        201, 409, 409, 409,
      ]);
      expect(answers.find(({ status }) => status === 409)?.body.error).toContain('already');
      for (const app of [one, other])
        expect(await run(app, 'acme_get')).toEqual({ result: 'get for nobody' });
    });

    it('never lets a person and everyone have the same name', async () => {
      const server = await serve([tool('get')]);
      const answers = await Promise.all([
        add(one, server.address, { for: 'everyone' }),
        add(other, server.address, {}, ben),
      ]);
      expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 409]);
      const { imports } = (await send(one, 'GET', '/api/imports', undefined, ben)).body;
      expect(imports).toHaveLength(1);
    });

    it('shows what one gateway changes in the next request to the other', async () => {
      const server = await serve([tool('get'), tool('drop')]);
      expect(await run(other, 'acme_get')).toMatchObject({ error: 'Tool not found' });
      await add(one, server.address);
      expect(await run(other, 'acme_get')).toEqual({ result: 'get for nobody' });
      await send(one, 'PATCH', '/api/imports/acme', { exclude: ['acme_drop'] });
      expect(await run(other, 'acme_drop')).toMatchObject({ error: 'Tool not found' });

      server.tools = [
        tool('get', { inputSchema: { type: 'object', properties: { key: { type: 'number' } } } }),
      ];
      await send(other, 'POST', '/api/imports/acme/check');
      expect(await run(one, 'acme_get')).toMatchObject({ error: expect.stringContaining('changed') });
      await send(one, 'POST', '/api/imports/acme/accept', { all: true });
      expect(await run(other, 'acme_get')).toEqual({ result: 'get for nobody' });

      const { tools } = await call(other, ana.keyHeader, 'search_tools', { query: 'acme', limit: 5 });
      expect(tools.map((each: { name: string }) => each.name)).toEqual(['acme_get']);
      await send(one, 'DELETE', '/api/imports/acme');
      expect(await run(other, 'acme_get')).toMatchObject({ error: 'Tool not found' });
    });

    it('never grants a definition that the person had not seen', async () => {
      const server = await serve([tool('get', { description: 'version 1' })]);
      await add(one, server.address);
      for (let round = 2; round <= RACERS; round += 2) {
        server.tools = [tool('get', { description: `version ${round}` })];
        const { body: seen } = await send(one, 'POST', '/api/imports/acme/check');
        expect(seen.changed).toMatchObject([{ new: { description: `version ${round}` } }]);
        server.tools = [tool('get', { description: `version ${round + 1}` })];
        const [accepted, checked] = await Promise.all([
          send(one, 'POST', '/api/imports/acme/accept', { all: true, version: seen.version }),
          send(other, 'POST', '/api/imports/acme/check'),
        ]);
        expect([200, 409]).toContain(accepted.status);
        expect([200, 409]).toContain(checked.status);
        const { tools } = (await send(one, 'GET', '/api/imports/acme')).body;
        expect(tools[0].description).not.toBe(`version ${round + 1}`);
        if (accepted.status === 200) expect(tools[0].description).toBe(`version ${round}`);
      }
    });

    it('lets a call end in a sentence when its import is deleted meanwhile', async () => {
      const server = await serve([tool('get')], { tokens: ['token'] });
      await add(one, server.address);
      await send(one, 'POST', '/api/auth/apikey/acme', { values: { token: 'token' } });
      const answer = Promise.withResolvers<void>();
      server.beforeCall = () => answer.promise;
      const running = run(one, 'acme_get');
      await expect.poll(() => server.calls.length).toBe(1);
      expect((await send(other, 'DELETE', '/api/imports/acme')).status).toBe(200);
      answer.resolve();
      const outcome = await running;
      expect(typeof (outcome.result ?? outcome.error)).toBe('string');
      expect(await run(one, 'acme_get')).toMatchObject({ error: 'Tool not found' });
      expect(await one.deps.store.connections.get(ana.id, 'acme', '')).toBeNull();
      expect(server.calls).toHaveLength(1);
    });

    it('calls an import for everyone with the token of each person, at the same time', async () => {
      const people = [ana, ben];
      const server = await serve([tool('get')], { tokens: people.map(({ id }) => id) });
      await add(one, server.address, { for: 'everyone' });
      for (const user of people)
        await send(other, 'POST', '/api/auth/apikey/acme', { values: { token: user.id } }, user);
      const calls = Array.from({ length: RACERS * 4 }, async (_, index) => {
        const user = index % 3 === 0 ? ana : ben;
        return [user.id, await run(alternate(index), 'acme_get', user)];
      });
      for (const [id, outcome] of await Promise.all(calls))
        expect(outcome).toEqual({ result: `get for ${id}` });
    });
  });
}

races('SQLite', sqlitePlace);
await describeService('PostgreSQL', postgresUrl(), () => races('PostgreSQL', postgresPlace));
