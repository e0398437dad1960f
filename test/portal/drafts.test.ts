// Tests how a call is filled into the form of the explorer again.
import { describe, expect, it } from 'vitest';
import { curlOf, without } from '../../portal/pages/call/repeat.ts';
import { toArguments } from '../../portal/pages/tools/form/arguments.ts';
import { toDrafts } from '../../portal/pages/tools/form/drafts.ts';
import { readFields } from '../../portal/pages/tools/form/fields.ts';
import type { Call, KeptDetails } from '../../portal/api/calls.ts';

const schema = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    body: { type: 'string' },
    count: { type: 'integer' },
    ratio: { type: 'number' },
    draft: { type: 'boolean' },
    state: { enum: ['open', 'closed', 3, null] },
    labels: { type: 'array', items: { type: 'string' } },
    ids: { type: 'array', items: { type: 'integer' } },
    extra: { type: 'object' },
  },
};

const call = (changes: Partial<Call>): Call => ({
  id: 1,
  user_id: 'ann',
  integration: 'time',
  tool: 'time_now',
  action: 'EXECUTE',
  success: true,
  outcome: 'ok',
  error: null,
  actor: 'key',
  duration_ms: 1,
  created_at: 1,
  client_name: null,
  access: 'read',
  request_id: null,
  approval: null,
  status: null,
  details: { state: 'none' },
  ...changes,
});

const kept = (value: unknown, isCut = false): KeptDetails => ({
  state: 'kept',
  args: { value, isCut, withheld: [] },
  result: null,
  select: null,
  expiresAt: 1,
});

describe('the form of a call that is run again', () => {
  it('makes the same arguments of every kind of field', () => {
    const args = {
      title: 'a',
      body: 'two\nlines',
      count: 3,
      ratio: 0.5,
      draft: false,
      state: 3,
      labels: ['one', 'two'],
      ids: [1, 2],
      extra: { a: [1] },
    };
    const fields = readFields(schema);
    expect(toArguments(fields, toDrafts(fields, args))).toEqual({ args, problems: {} });
  });

  it('leaves out what no field takes', () => {
    const fields = readFields(schema);
    expect(toDrafts(fields, { other: 1, title: null, state: 'gone' })).toEqual({ state: '' });
  });

  it('leaves out secrets that were not kept', () => {
    const args = { a: { 'b/c': 1, 'd~e': 2 }, list: [{ token: 'x', id: 1 }], b: 3 };
    expect(without(args, ['/a/b~1c', '/a/d~0e', '/list/0/token', '/gone/x', '/b'])).toEqual({
      a: {},
      list: [{ id: 1 }],
    });
    expect(args.b).toBe(3);
  });
});

describe('the curl command of a call', () => {
  it('names a placeholder for the key, the account and the selection', () => {
    const details = { ...kept({ a: 1 }), select: 'b' };
    expect(curlOf(call({ account: 'work', details }), 'https://gw.example')).toBe(
      [
        "curl 'https://gw.example/rest/time'",
        "-H 'x-service-api-key: YOUR_API_KEY'",
        "-H 'Content-Type: application/json'",
        `-d '{"tool":"time_now","args":{"a":1},"account":"work","select":"b"}'`,
      ].join(' \\\n  '),
    );
  });

  it('is that of raw HTTP for a raw request', () => {
    const details = kept({ method: 'DELETE', path: "/it's/1", query: '?a=1' });
    expect(curlOf(call({ action: 'CURL', integration: 'github', details }), 'https://gw.example')).toBe(
      [
        String.raw`curl 'https://gw.example/c/github/it'\''s/1?a=1'`,
        "-X 'DELETE'",
        "-H 'Authorization: Bearer YOUR_CURL_TOKEN'",
      ].join(' \\\n  '),
    );
  });

  it('is not offered for arguments that are gone, cut or no object', () => {
    for (const details of [{ state: 'none' } as const, kept({ a: 1 }, true), kept('text')])
      expect(curlOf(call({ details }), 'https://gw.example')).toBeNull();
  });
});
