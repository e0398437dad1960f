// Tests what a script can do, and what each of its calls is. reference: Scripts
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { defineTool } from '../../src/sets/model/definition.ts';
import { INDEX_HTML, publish } from '../support/jots.ts';
import { call } from '../support/mcp.ts';
import { makeKey, send } from '../support/policy.ts';
import { openScripts, type ScriptStand } from '../support/script-stand.ts';

let stand: ScriptStand;
beforeAll(async () => {
  stand = await openScripts();
});
afterAll(() => stand.close());
beforeEach(() => {
  stand.notes.written.length = 0;
  stand.notes.read.length = 0;
});

describe('a script', () => {
  it('calls tools by either name, and returns what its code returns with its log beside it', async () => {
    const ran = await stand.script(
      `const one = await tools.memo_get({ text: input.text });
       const two = await tools['memo'].get({ text: 'b' });
       console.log('read', two.text);
       return { both: one.text + two.text, picked: select([{ a: 1 }, { a: 2 }], '[].a') };`,
      { input: { text: 'a' } },
    );
    expect(ran).toStrictEqual({
      result: { both: 'ab', picked: [1, 2] },
      script: { run: expect.any(String), log: 'read b\n' },
    });
  });

  it('makes ordinary calls, each with an audit row that names the run', async () => {
    const ran = await stand.script(`await tools.memo_add({ text: 'row' }); return 1`);
    await stand.app.deps.audit.flush();
    const { entries } = (await send(stand.app, stand.user.sessionHeader, 'GET', '/api/audit')).body;
    const [outer, inner] = entries;
    expect(outer).toMatchObject({ tool: 'script_run', access: 'read', success: true });
    expect(outer).not.toHaveProperty('script');
    expect(inner).toMatchObject({ tool: 'memo_add', access: 'write', actor: 'key', script: ran.script?.run });
  });

  it('says where it threw, and what a call threw it may catch', async () => {
    const thrown = await stand.script(`\nthrow new Error('no');`);
    expect(thrown).toMatchObject({ error: 'The script threw at line 2: no' });
    const caught = await stand.script(
      `const codes = [];
       const trying = [() => tools.memo_gone({}), () => tools.memo_get({ text: 1 }), () => tools.echo_fail({}),
         () => tools.memo_get({ text: 'a' }, { account: 'other' })];
       for (const each of trying) try { await each(); } catch (error) { codes.push(error.code); }
       return codes;`,
    );
    expect(caught.result).toStrictEqual(['TOOL_NOT_FOUND', 'INVALID_ARGUMENTS', 'ERROR', 'UNKNOWN_ACCOUNT']);
    const missing = await stand.script(`return await tools.github_list_issues({ owner: 'a', repo: 'b' })`);
    expect(missing.error).toContain('GitHub is not connected');
  });

  it('makes 256 calls and not one more', async () => {
    const ran = await stand.script(
      `let made = 0;
       try { for (;;) { await tools.memo_get({ text: 'x' }); made++; } } catch (error) { return [made, error.code]; }`,
    );
    expect(ran.result).toStrictEqual([256, 'TOO_MANY_CALLS']);
  });

  it('is as docs/scripts.md shows it', async () => {
    const page = await readFile(join(import.meta.dirname, '../../docs/scripts.md'), 'utf8');
    const [, code = ''] = /```js\n([\s\S]*?)```/.exec(page) ?? [];
    await publish(stand.app, stand.user, 'small');
    await publish(stand.app, stand.user, 'large', { 'a.txt': 'x'.repeat(5_000) });
    const ran = await stand.script(code, { input: { bytes: 1_000 } });
    expect(ran.result).toStrictEqual([{ name: 'large', bytes: 5_000 + INDEX_HTML.length }]);
    const names = [...code.matchAll(/tools\.(\w+)/g)].map(([, name]) => name);
    const tool = names.join(',');
    const { types } = await call(stand.app, stand.key, 'get_tool_schema', { tool, as: 'typescript' });
    for (const name of names) expect(types).toContain(`${name}(`);
  });

  it('reads many large pages where each call selects what it needs', async () => {
    const pages = (options: string) => `const titles = [];
      for (let page = 0; page < 12; page++) {
        const answer = await tools.memo_page({ page }${options});
        titles.push(...(answer.notes ?? answer).map(({ title }) => title));
      }
      return titles.length;`;
    const whole = await stand.script(pages(''));
    expect(whole.error).toContain('at line 3: The call ran. Its result does not fit into the 4 MiB');
    expect(await stand.script(pages(`, { select: 'notes[].{title: title}' }`))).toMatchObject({ result: 12 });
    const one = `return (await tools.memo_page({ page: 1, characters: 2000000 }, { select: 'page' }))`;
    expect(await stand.script(one)).toMatchObject({ result: 1 });
    const wrong = await stand.script(
      `const codes = [];
       for (const select of ['[', 'max(page)', 1])
         try { await tools.memo_page({ page: 1 }, { select }); } catch (error) { codes.push(error.code); }
       return codes;`,
    );
    expect(wrong.result).toStrictEqual(['INVALID_ARGUMENTS', 'SELECT', 'INVALID_ARGUMENTS']);
  });

  it('cannot run, save or delete scripts, nor call the own tools of the gateway', async () => {
    const ran = await stand.script(
      `const codes = [];
       for (const name of ['script_run', 'script_save', 'script_list', 'script_delete', 'execute_tools', 'connect'])
         try { await tools[name]({}); } catch (error) { codes.push(error.code); }
       return codes;`,
    );
    expect(ran.result).toStrictEqual([...Array(4).fill('BLOCKED'), 'TOOL_NOT_FOUND', 'TOOL_NOT_FOUND']);
  });

  it('is a call like any other: its result is selected from, over MCP, in a batch and with a key', async () => {
    const { results } = await call(stand.app, stand.key, 'execute_tools', {
      executions: [
        { tool: 'script_run', args: { code: 'return [{ a: 1, b: 2 }]' }, select: '[].a' },
        { tool: 'memo_get', args: { text: 'beside' } },
      ],
    });
    expect(results[0]).toMatchObject({ result: [1], script: { run: expect.any(String) } });
    expect(results[1]).toMatchObject({ result: { text: 'beside' } });
    const keyed = {
      tool: 'script_run',
      args: { code: `return tools.memo_add({ text: 'keyed' })` },
      key: 'once',
    };
    const [first, second] = [
      (await call(stand.app, stand.key, 'execute_tools', { executions: [keyed] })).results[0],
      (await call(stand.app, stand.key, 'execute_tools', { executions: [keyed] })).results[0],
    ];
    expect(second).toMatchObject({ result: first.result, replayed: true });
    expect(stand.notes.written).toStrictEqual(['keyed']);
  });

  it('may do no more than its caller: a key that reads, and one that is bound to a set', async () => {
    const code = `const done = [];
      for (const each of [() => tools.memo_get({ text: 'r' }), () => tools.memo_add({ text: 'w' })])
        try { await each(); done.push('ok'); } catch (error) { done.push(error.code); }
      return done;`;
    const reads = await makeKey(stand.app, stand.user, { access: 'read' });
    expect((await stand.script(code, {}, reads.header)).result).toStrictEqual(['ok', 'BLOCKED']);
    const set = { name: 'few', tools: ['script_run', 'memo_add'] };
    expect((await send(stand.app, stand.user.sessionHeader, 'POST', '/api/sets', set)).status).toBe(201);
    const bound = await makeKey(stand.app, stand.user, { set: 'few' });
    expect((await stand.script(code, {}, bound.header)).result).toStrictEqual(['BLOCKED', 'ok']);
    expect(stand.notes.written).toStrictEqual(['w']);
    const slow = await makeKey(stand.app, stand.user, { perMinute: 2 });
    expect((await stand.script(code, {}, slow.header)).result).toStrictEqual(['ok', 'TOO_MANY_CALLS']);
  });

  it('is no tool that reads for the clients of a set', () => {
    const definitions = ['script_run', 'memo_get'].map((name) => {
      const found = stand.app.deps.registry.tool(name);
      if (found === null) throw new Error(name);
      return defineTool(found, stand.app.deps.config);
    });
    expect(definitions[0]?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true });
    expect(definitions[1]?.annotations).toMatchObject({ readOnlyHint: true });
  });

  it('ends with its caller, after the call that writes', async () => {
    const gone = new AbortController();
    let release = (): void => {};
    stand.notes.onWrite = () =>
      new Promise<void>((resolve) => {
        release = resolve;
        gone.abort();
      });
    const { userId, actor } = {
      userId: stand.user.id,
      actor: { id: 'key', name: null, clientId: null, limits: [] },
    };
    const running = stand.app.deps.execute(
      { userId, actor, signal: gone.signal },
      {
        tool: 'script_run',
        args: { code: `await tools.memo_add({ text: '1' }); await tools.memo_add({ text: '2' });` },
        within: null,
      },
    );
    await new Promise<void>((resolve) => {
      gone.signal.addEventListener('abort', () => setImmediate(resolve));
    });
    release();
    expect(await running).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('ended the script'),
    });
    stand.notes.onWrite = async () => {};
    expect(stand.notes.written).toStrictEqual(['1']);
    const { runs } = (await send(stand.app, stand.user.sessionHeader, 'GET', '/api/script-runs')).body;
    expect(runs).toContainEqual(expect.objectContaining({ state: 'cancelled', calls: 1 }));
  });
});

describe('a saved script', () => {
  const save = (args: object) =>
    send(stand.app, stand.key, 'POST', '/rest/scripts', { tool: 'script_save', args });

  it('is a tool of its own: found, described, checked and called like any other', async () => {
    const args = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
    const code = 'return (await tools.memo_get({ text: input.text })).text';
    const saved = await save({ name: 'fetch_memo', description: 'Fetches the zebra memo', code, args });
    expect(saved.body.result).toStrictEqual({ tool: 'scripts_fetch_memo', version: 1 });
    const found = await call(stand.app, stand.key, 'search_tools', { query: 'zebra memo' });
    expect(JSON.stringify(found)).toContain('scripts_fetch_memo');
    const { schema } = await call(stand.app, stand.key, 'get_tool_schema', { tool: 'scripts_fetch_memo' });
    expect(schema).toMatchObject({ required: ['text'] });
    const direct = await send(stand.app, stand.key, 'POST', '/rest/scripts/fetch_memo', { text: 'z' });
    expect(direct).toMatchObject({ status: 200, body: { result: 'z', tool: 'scripts_fetch_memo' } });
    const wrong = await send(stand.app, stand.key, 'POST', '/rest/scripts/fetch_memo', {});
    expect(wrong.status).toBe(400);
    const listed = await send(stand.app, stand.key, 'GET', '/rest/scripts');
    expect(JSON.stringify(listed.body)).toContain('scripts_fetch_memo');
    const ben = await stand.app.user('ben@example.com');
    const refused = await send(stand.app, ben.keyHeader, 'POST', '/rest/scripts/fetch_memo', { text: 'z' });
    expect(refused.status).toBe(404);
  });

  it('keeps its versions, and a run says which it was', async () => {
    await save({ name: 'versions', code: 'return 1' });
    await save({ name: 'versions', code: 'return 2' });
    const ran = await send(stand.app, stand.key, 'POST', '/rest/scripts/versions', {});
    expect(ran.body.result).toBe(2);
    const { session } = { session: stand.user.sessionHeader };
    const run = await send(stand.app, session, 'GET', `/api/script-runs/${ran.body.script.run}`);
    expect(run.body).toMatchObject({
      script: 'versions',
      version: 2,
      code: 'return 2',
      state: 'done',
      result: 2,
    });
    const shown = await send(stand.app, session, 'GET', '/api/scripts/versions');
    expect(shown.body.versions).toMatchObject([
      { version: 2, code: 'return 2' },
      { version: 1, code: 'return 1' },
    ]);
    const gone = await send(stand.app, stand.key, 'POST', '/rest/scripts', {
      tool: 'script_delete',
      args: { name: 'versions' },
    });
    expect(gone.body.result).toStrictEqual({ deleted: true });
    expect((await send(stand.app, stand.key, 'POST', '/rest/scripts/versions', {})).status).toBe(404);
  });

  it('reaches the team only after an administrator has read it, and runs as its caller', async () => {
    const { app, user } = stand;
    const [first, ben] = [await app.user('boss@example.com'), await app.user('cleo@example.com')];
    await save({ name: 'shared_memo', code: `return tools.memo_add({ text: 'by caller' })` });
    const callIt = () => send(app, ben.keyHeader, 'POST', '/rest/scripts/shared_memo', {});
    const offered = await send(app, user.sessionHeader, 'POST', '/api/scripts/shared_memo/share');
    expect(offered.body).toMatchObject({ shared: 'pending', version: 1 });
    expect((await callIt()).status).toBe(404);
    const review = (who: typeof ben, id: string, accept = true) =>
      send(app, who.sessionHeader, 'POST', `/api/script-reviews/${id}`, { accept });
    const owner = await app.deps.store.users.byEmail('first@example.com');
    if (owner === null) throw new Error('there is no owner');
    const session = await app.deps.sessions.issue(owner);
    const boss = { ...first, sessionHeader: { authorization: `Bearer ${session}` } };
    const list = await send(app, boss.sessionHeader, 'GET', '/api/scripts');
    const waiting = list.body.reviews.find((each: { name: string }) => each.name === 'shared_memo');
    expect(waiting).toMatchObject({ author: user.email, code: expect.stringContaining('by caller') });
    expect((await review(ben, waiting.id)).status).toBe(403);
    expect((await review(boss, waiting.id)).status).toBe(200);
    expect((await review(boss, waiting.id)).status).toBe(404);
    const ran = await callIt();
    expect(ran.status).toBe(200);
    await app.deps.audit.flush();
    const rows = await app.deps.store.audit.list({ user_id: ben.id, limit: 10 });
    expect(rows.map(({ tool }) => tool).toSorted()).toStrictEqual(['memo_add', 'scripts_shared_memo']);
    // A later version of the author is not the team's.
    await save({ name: 'shared_memo', code: 'return "new"' });
    expect((await callIt()).body.result).toMatchObject({ text: 'by caller' });
  });

  it('takes no name of another tool, and no schema that is none', async () => {
    expect((await save({ name: 'Bad', code: 'return 1' })).status).toBe(400);
    const bad = await send(stand.app, stand.user.sessionHeader, 'POST', '/api/scripts', {
      name: 'a',
      code: 'return 1',
      args: [],
    });
    expect(bad.status).toBe(400);
  });
});

describe('a gateway without scripts', () => {
  it('lists none of them with SCRIPTS=off', async () => {
    const off = await openScripts({ env: { SCRIPTS: 'off' } });
    try {
      expect(off.app.deps.registry.integration('scripts')).toBeNull();
      expect(await off.script('return 1')).toBeUndefined();
    } catch (error) {
      expect(error).toBeInstanceOf(TypeError);
    } finally {
      await off.close();
    }
  });
});
