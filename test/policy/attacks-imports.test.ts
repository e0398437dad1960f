// Attacks by way of imports: whoever holds the personal key makes an integration into something that rules do not know.
// decision: 038; decision: 041
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PERSONAL_KEY, type Rule } from '../../src/kit/actor.ts';
import { createImportSettings } from '../../src/imports/model/settings.ts';
import { EVERYONE } from '../../src/ports/store.ts';
import { importAsPerson, SHOP, sendAs } from '../support/imported-shop.ts';
import { openStage, type Stage } from '../support/proxy-stage.ts';
import { putRules } from '../support/raw-policy.ts';
import type { TestUser } from '../support/test-app.ts';

const BLOCKS_SHOP: Rule = { integration: 'shop', decision: 'block' };
const ADDED = { document: JSON.stringify(SHOP), name: 'shop2' };

let stage: Stage;
let owner: TestUser;

beforeAll(async () => {
  stage = await openStage();
  owner = await stage.app.user('owner@localhost');
  await importAsPerson(stage, stage.ana);
});
afterEach(async () => {
  await putRules(stage, []);
  await putRules(stage, [], EVERYONE);
  stage.seen.length = 0;
});
afterAll(() => stage.close());

const withKey = (method: string, path: string, body?: object, { keyHeader } = stage.ana) =>
  sendAs(stage, keyHeader, method, path, body);
const inPortal = (method: string, path: string, body?: object, { sessionHeader } = stage.ana) =>
  sendAs(stage, sessionHeader, method, path, body);

describe('the personal key, where there are rules', () => {
  const CHANGES: [string, string, string, object | undefined][] = [
    ['headers', 'PATCH', '/api/imports/shop', { headers: { 'X-Version': '2' } }],
    ['the chosen tools', 'PATCH', '/api/imports/shop', { exclude: ['shop_wipe_all'] }],
    ['access levels', 'PATCH', '/api/imports/shop', { access: { shop_wipe_all: 'read' } }],
    ['the way to connect', 'PATCH', '/api/imports/shop', { auth: { type: 'none' } }],
    ['the accepted tools', 'POST', '/api/imports/shop/accept', { all: true }],
    ['the whole import', 'DELETE', '/api/imports/shop', undefined],
    ['the name, by adding the import again', 'POST', '/api/imports', ADDED],
  ];

  it.each(CHANGES)('does not change %s', async (_name, method, path, body) => {
    await putRules(stage, [BLOCKS_SHOP]);
    expect(await withKey(method, path, body)).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining('portal') },
    });
  });

  it('still looks at sources, and asks a source again', async () => {
    await putRules(stage, [BLOCKS_SHOP]);
    const { document } = ADDED;
    expect((await withKey('POST', '/api/imports/preview', { document })).status).toBe(200);
    // A document that was uploaded cannot be asked again.
    expect((await withKey('POST', '/api/imports/shop/check')).status).not.toBe(403);
  });

  it('leaves the person in the portal free to do the same', async () => {
    await putRules(stage, [{ integration: 'other', decision: 'block' }]);
    expect((await inPortal('POST', '/api/imports', ADDED)).status).toBe(201);
    expect((await inPortal('DELETE', '/api/imports/shop2')).status).toBe(200);
  });
});

describe('the personal key of an administrator', () => {
  const FOR_EVERYONE = { ...ADDED, for: 'everyone' };

  it('neither adds nor changes nor deletes what everyone has, also without rules', async () => {
    expect((await withKey('POST', '/api/imports', FOR_EVERYONE, owner)).status).toBe(403);
    expect((await inPortal('POST', '/api/imports', FOR_EVERYONE, owner)).status).toBe(201);
    for (const [method, path, body] of [
      ['PATCH', '/api/imports/shop2', { headers: { 'X-Version': '2' } }],
      ['POST', '/api/imports/shop2/accept', { all: true }],
      ['DELETE', '/api/imports/shop2', undefined],
    ] as const)
      expect(await withKey(method, path, body, owner)).toMatchObject({
        status: 403,
        body: { error: expect.stringContaining('portal') },
      });
    expect((await inPortal('DELETE', '/api/imports/shop2', undefined, owner)).status).toBe(200);
  });

  it('still decides about the own imports of the person', async () => {
    expect((await withKey('POST', '/api/imports', ADDED, owner)).status).toBe(201);
    expect((await withKey('DELETE', '/api/imports/shop2', undefined, owner)).status).toBe(200);
  });
});

describe('a header that names another request', () => {
  const NAMES = [
    'X-HTTP-Method-Override',
    'X_HTTP_Method',
    'X-Original-URL',
    'X-Rewrite-Url',
    'X-Host',
    'X-Client-IP',
    'X_Forwarded_For',
  ];

  it.each(NAMES)('is refused among the headers of every call and of a credential: %s', async (name) => {
    for (const body of [
      { headers: { [name]: 'DELETE' } },
      { auth: { type: 'headers', headers: { [name]: 'DELETE', 'X-Key': '{key}' } } },
      { auth: { type: 'headers', headers: { [name]: '{key}' } } },
    ])
      expect(await inPortal('PATCH', '/api/imports/shop', body)).toMatchObject({
        status: 400,
        body: { error: expect.stringContaining(name) },
      });
  });

  it('is not sent for an import that an earlier version has stored', async () => {
    const { store } = stage.app.deps;
    const [record] = await store.imports.list(stage.ana.id);
    if (record === undefined) throw new Error('there is no import');
    const sealed = createImportSettings(stage.app.deps);
    const settings = await sealed.open(record);
    if (settings === null) throw new Error('the settings cannot be opened');
    const [override] = NAMES.map((name) => ({ [name]: 'DELETE' }));
    const auth = { type: 'headers' as const, headers: { 'X-Key': '{key}', 'X-Original-URL': '/wipe' } };
    const changed = await sealed.seal(record.id, {
      ...settings,
      auth,
      headers: { ...override, 'X-Api': '2' },
    });
    const next = { ...record, settings: changed, version: 'next' };
    expect(await store.imports.update(record, next, { tools: [], removed: [] })).toBe(true);
    expect((await withKey('POST', '/rest/shop', { tool: 'shop_get_item', args: { id: '1' } })).status).toBe(
      200,
    );
    const [sent] = stage.seen;
    expect(sent?.headers).toMatchObject({ 'x-key': 'secret', 'x-api': '2' });
    expect(Object.keys(sent?.headers ?? {}).filter((name) => /override|original/.test(name))).toEqual([]);
  });
});

describe('a rule that names a tool', () => {
  it('holds for raw requests also when the tool is left out of the import', async () => {
    await putRules(stage, [{ tool: 'shop_wipe_all', decision: 'block' }]);
    const token = await stage.token({ integrations: ['shop'], actor: PERSONAL_KEY });
    const wipe = async () => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      return (await stage.get('/c/shop/wipe', { method: 'POST', body: '{}', headers })).status;
    };
    expect(await wipe()).toBe(403);
    expect((await inPortal('PATCH', '/api/imports/shop', { exclude: ['shop_wipe_all'] })).status).toBe(200);
    expect(await wipe()).toBe(403);
    expect(stage.seen).toEqual([]);
    expect((await inPortal('PATCH', '/api/imports/shop', { exclude: [] })).status).toBe(200);
  });
});
