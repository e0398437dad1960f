// Tests how the credential that an importer describes becomes a form and a place in each call. reference: Sign-in to imports
import { describe, expect, it } from 'vitest';
import { blocksOf } from '../../src/imports/model/auth-blocks.ts';
import type { ImportAuth } from '../../src/imports/model/source-description.ts';

const read = (auth: ImportAuth) => blocksOf(auth, { address: 'https://a.example/mcp' });
const headers = (given: Record<string, string>) => read({ type: 'headers', headers: given });
const refusal = (read: ReturnType<typeof blocksOf>) => (read.ok ? null : read.message);

describe('the credential of an import', () => {
  it('may be headers with a field for each secret, and others that are the same for everybody', () => {
    expect(
      headers({ Authorization: 'Bearer {api_key}', 'X-Team': '{team_id}', 'X-Version': '2026-01-01' }),
    ).toEqual({
      ok: true,
      auth: {
        type: 'apikey',
        fields: [
          { key: 'api_key', label: 'API key', secret: true, required: true },
          { key: 'team_id', label: 'Team ID', secret: true, required: true },
        ],
      },
      api: {
        credential: {
          in: 'headers',
          headers: { Authorization: 'Bearer {api_key}', 'X-Team': '{team_id}' },
        },
        headers: { 'X-Version': '2026-01-01' },
      },
    });
    expect(headers({ 'X-Version': '1' })).toMatchObject({
      auth: { type: 'none' },
      api: { headers: { 'X-Version': '1' } },
    });
  });

  it('asks once for a field that occurs twice', () => {
    expect(headers({ 'X-A': '{token}', 'X-B': 'b {token}' })).toMatchObject({
      auth: { fields: [{ key: 'token', label: 'Token' }] },
    });
  });

  it.each([
    'Host',
    'Cookie2',
    'Content-Type',
    'content-length',
    'Transfer-Encoding',
    'Connection',
    'Mcp-Session-Id',
    'MCP-Protocol-Version',
    'Accept',
    'Accept-Encoding',
    'Proxy-Authorization',
    'X-Forwarded-For',
    'Last-Event-ID',
  ])('may not set the header %s, which is the gateway’s', (name) => {
    expect(refusal(headers({ [name]: '{token}' }))).toContain('set by the gateway');
  });

  it.each([
    [{ 'X A': '{token}' }, 'not the name of a header'],
    [{ 'X-Ä': '{token}' }, 'not the name of a header'],
    [{ '': '{token}' }, 'not the name of a header'],
    [{ 'X-A': 'a\r\nX-B: {token}' }, 'without line breaks'],
    [{ 'X-A': '{tökn}' }, 'without line breaks'],
    [{ 'X-A': '{Token}' }, 'is not a field'],
    [{ 'X-A': '{}' }, 'is not a field'],
    [{ 'X-A': `{${'a'.repeat(33)}}` }, 'is not a field'],
    [{ 'X-A': `{token}${'a'.repeat(2_000)}` }, '1024'],
    [{ 'X-A': '{a}', 'x-a': '{b}' }, 'once'],
    [{ Authorization: 'Bearer abc123' }, 'in place of the secret'],
    [{ 'X-Api-Key': 'abc123' }, 'in place of the secret'],
    [Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`X-${index}`, '{a}'])), 'At most 10'],
  ])('is refused with a reason: %j', (given, reason) => {
    expect(refusal(headers(given))).toContain(reason);
  });

  it('may be cookies, each with a field of its own', () => {
    expect(headers({ Cookie: 'sid={sid}; tenant={tenant}' })).toMatchObject({
      auth: { fields: [{ key: 'sid' }, { key: 'tenant' }] },
      api: { credential: { in: 'headers', headers: { Cookie: 'sid={sid}; tenant={tenant}' } } },
    });
    for (const cookie of ['{all}', 'sid=fixed', 'sid={sid}; role=admin', 'sid={sid},{more}', 'sid=a{sid}'])
      expect(refusal(headers({ cookie })), cookie).toContain('Write cookies as name={field}');
  });

  it('may be several ways at once, which do not write over each other', () => {
    const key = { type: 'headers', headers: { 'X-Key': '{key}', 'X-Version': '1' } } as const;
    const query = { type: 'query', parameters: { app: '{app}' } } as const;
    expect(read({ type: 'all', ways: [{ type: 'basic' }, key, query] })).toEqual({
      ok: true,
      auth: {
        type: 'apikey',
        fields: ['user', 'password', 'key', 'app'].map((name) => expect.objectContaining({ key: name })),
      },
      api: {
        credential: {
          in: 'all',
          places: [
            { in: 'basic', user: '{user}', password: '{password}' },
            { in: 'headers', headers: { 'X-Key': '{key}' } },
            { in: 'query', parameters: { app: '{app}' } },
          ],
        },
        headers: { 'X-Version': '1' },
      },
    });
    const token = { type: 'headers', headers: { authorization: 'Bearer {token}' } } as const;
    expect(refusal(read({ type: 'all', ways: [{ type: 'basic' }, token] }))).toContain('once');
    expect(refusal(read({ type: 'all', ways: [key] }))).toContain('Between 2 and 10');
    const fixed = { type: 'headers', headers: { 'X-Release': '1' } } as const;
    expect(refusal(read({ type: 'all', ways: [key, fixed] }))).toContain('field');
  });

  it('may be parameters, each with a field', () => {
    expect(read({ type: 'query', parameters: { key: '{key}' } })).toMatchObject({
      ok: true,
      auth: { type: 'apikey', fields: [{ key: 'key', label: 'Key' }] },
      api: { credential: { in: 'query', parameters: { key: '{key}' } } },
    });
    for (const parameters of [{}, { key: 'fixed' }, { 'a b': '{key}' }])
      expect(read({ type: 'query', parameters }).ok).toBe(false);
  });

  it('may be a user name and a password, which may be empty', () => {
    expect(read({ type: 'basic' })).toMatchObject({
      auth: {
        fields: [
          { key: 'user', required: true },
          { key: 'password', required: false },
        ],
      },
      api: { credential: { in: 'basic', user: '{user}', password: '{password}' } },
    });
  });

  it('may be a sign-in, with a client and endpoints or without', () => {
    expect(read({ type: 'oauth2', scopes: ['a'] })).toMatchObject({
      auth: { type: 'oauth2', scopes: ['a'], dynamic: { address: 'https://a.example/mcp' } },
      api: { credential: { in: 'bearer' } },
    });
    const endpoints = { authorizeUrl: 'https://b.example/a', tokenUrl: 'https://b.example/t' };
    expect(read({ type: 'oauth2', clientId: 'c', clientSecret: 's', ...endpoints })).toMatchObject({
      auth: { dynamic: { client: { clientId: 'c', clientSecret: 's' }, endpoints } },
    });
    expect(read({ type: 'oauth2', clientSecret: 's' }).ok).toBe(false);
    expect(read({ type: 'oauth2', tokenUrl: 'https://b.example/t' }).ok).toBe(false);
  });
});
