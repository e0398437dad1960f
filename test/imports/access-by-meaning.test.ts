// What an imported tool can do is proposed by its words too, for MCP servers and OpenAPI services.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { meaningOf } from '../../src/imports/model/access-by-meaning.ts';
import { createImportUser, type ImportUser } from '../support/import-user.ts';
import { type ScriptedServer, startScripted } from '../support/scripted-mcp.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

const said = (name: string, description = '', access?: 'read' | 'write' | 'destroy', path?: string) =>
  meaningOf({ name, description, access, path });

describe('a tool is a deletion', () => {
  it.each([
    'delete_everything',
    'deleteUser',
    'user.remove',
    'HTTPPurge',
    'batch-drop-tables',
    'cancelOrder',
    'v1_revoke',
  ])('by its name %s', (name) => {
    expect(said(name)).toMatchObject({ access: 'destroy', isRaised: true });
    expect(said(name, '', 'read')).toMatchObject({ access: 'destroy', isRaised: true });
    expect(said(name, '', 'destroy')).toMatchObject({ access: 'destroy', isRaised: false });
  });

  it.each(['/users/{id}/delete', '/caches/purge/', '/a/resetAll', '/orders/{id}/cancel/{reason}'])(
    'by the end of its path %s',
    (path) => expect(said('call', '', 'read', path).access).toBe('destroy'),
  );

  it.each([
    'Deletes a file.',
    'Permanently delete a file',
    'Use this to void an invoice. It is final.',
    'Creates or removes labels',
    'This tool wipes the disk',
  ])('by its first sentence: %s', (description) => {
    expect(said('call', description).access).toBe('destroy');
    expect(said('call', description, 'read').access).toBe('destroy');
  });

  it.each([
    ['list_deleted_items', 'Lists what was deleted.', 'read'],
    ['undelete', 'Brings a file back', 'write'],
    ['get_file', 'Downloads a file of the archive', 'read'],
    ['save', 'Saves a file. Files can be deleted later.', 'write'],
    ['dropdown', 'Shows a list', 'write'],
    ['users', 'Lists users', 'read'],
  ] as const)('and not because of other words: %s', (name, description, access) => {
    expect(said(name, description, access).access).toBe(access);
  });
});

describe('a name that only reads', () => {
  it.each(['get_user', 'listUsers', 'search-files', 'read', 'describe_table', 'countRows', 'fetch'])(
    'is offered as reading: %s',
    (name) => expect(said(name)).toEqual({ access: 'write', isRaised: false, seemsToRead: true }),
  );

  it.each([
    'get_or_create',
    'getAndSet',
    'list_and_update',
    'read_write_file',
    'forget',
    'save',
    'findAndDelete',
  ])('is not one that says more: %s', (name) => expect(said(name).seemsToRead).toBe(false));

  it('is not offered where the source says what it does', () => {
    expect(said('get_user', '', 'read').seemsToRead).toBe(false);
    expect(said('get_user', '', 'destroy').seemsToRead).toBe(false);
  });
});

describe('an import', () => {
  let app: TestApp;
  let ana: ImportUser;
  let server: ScriptedServer;
  // mcp-go 1.2.1 and Spring AI 2.0.1 write these into every tool.
  const annotations = {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  };
  const tool = (name: string, more: object = {}) => ({ name, inputSchema: { type: 'object' }, ...more });

  beforeEach(async () => {
    server = await startScripted({
      'tools/list': ({ result }) =>
        result({
          tools: [
            tool('read_file', { annotations }),
            tool('write_file', { annotations }),
            tool('delete_file', { annotations }),
            tool('wipe'),
            tool('really', { annotations: { ...annotations, idempotentHint: true } }),
            tool('broken', { inputSchema: 7 }),
          ],
        }),
    });
    app = await createTestApp();
    ana = createImportUser(app, await app.user('owner@localhost'));
  });
  afterEach(async () => {
    await app.deps.mcp.close();
    await app.close();
    await server.close();
  });

  const levels = (tools: { name: string; access: string; offered?: string }[]) =>
    tools.map(({ name, access, offered }) => [name, access, ...(offered === undefined ? [] : [offered])]);
  const warnings = [
    'The tool "broken" was left out, because the schema of its arguments is not a schema',
    '2 tools look as if they delete, so they count as deletions',
  ];

  it('takes defaults that a library writes for silence, and says what it has raised', async () => {
    const preview = await ana.preview({ address: server.address });
    expect(levels(preview.tools)).toEqual([
      ['scripted_read_file', 'write', 'read'],
      ['scripted_write_file', 'write'],
      ['scripted_delete_file', 'destroy'],
      ['scripted_wipe', 'destroy'],
      ['scripted_really', 'destroy'],
    ]);
    expect(preview.warnings).toEqual(warnings);
    const added = await ana.add({
      address: server.address,
      access: { scripted_read_file: 'read', wipe: 'write' },
    });
    expect(added.warnings).toEqual(warnings);
    expect(levels(added.tools).slice(0, 4)).toEqual([
      ['acme_read_file', 'read'],
      ['acme_write_file', 'write'],
      ['acme_delete_file', 'destroy'],
      ['acme_wipe', 'write'],
    ]);
  });

  it('of a service proposes a deletion for a GET and a POST that say so', async () => {
    const operation = (operationId: string, summary: string) => ({
      operationId,
      summary,
      responses: { 200: { description: 'OK' } },
    });
    const document = JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Shop', version: '1' },
      servers: [{ url: 'https://shop.example' }],
      paths: {
        '/users/{id}/delete': {
          get: {
            ...operation('userDelete', 'Go'),
            parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          },
        },
        '/orders/search': { post: operation('searchOrders', 'Finds orders') },
        '/orders/kill': { post: operation('killOrders', 'Cancels all orders') },
        '/orders': { get: operation('listOrders', 'Lists orders') },
      },
    });
    const preview = await ana.preview({ document });
    expect(Object.fromEntries(levels(preview.tools).map(([name, ...rest]) => [name, rest]))).toEqual({
      shop_user_delete: ['destroy'],
      shop_search_orders: ['write', 'read'],
      shop_kill_orders: ['destroy'],
      shop_list_orders: ['read'],
    });
    expect(preview.warnings).toContain('2 tools look as if they delete, so they count as deletions');
    const added = await ana.add({ document });
    expect(added.warnings).toEqual(preview.warnings);
  });
});
