// Tests GraphQL rows: documents with arguments as variables, responses without their wrapping, errors
// whatever the status.
import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import { createGraphqlRows } from '../../src/kit/graphql-rows.ts';
import { defineIntegration, type UpstreamCall } from '../../src/kit/integration.ts';
import { run } from '../support/capture.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { createMemoryFiles } from '../support/memory-files.ts';

const { row } = createGraphqlRows({ path: '/graphql' });
const id = z.string();

const shop = defineIntegration({
  name: 'shop',
  version: '1.0.0',
  displayName: 'Shop',
  description: 'Orders',
  categories: [],
  logo: null,
  auth: { type: 'none' },
  tools: [
    row('shop_get', 'query($id:ID!){order(id:$id){id}}', 'Get an order', () => ({ id })),
    row('shop_both', 'query{me{id} shop{id}}', 'Two at once', () => ({})),
    row(
      'shop_change',
      'mutation($id:ID!,$input:Change!){change(id:$id,input:$input){ok}}',
      'Change an order',
      () => ({ id, note: id.nullable().optional(), state: id.default('open') }),
    ),
    row('shop_drop', 'mutation($id:ID!){drop(id:$id){ok}}', 'Drop an order', () => ({ id }), {
      access: 'destroy',
    }),
    // @ts-expect-error the variable is no argument
    row('shop_typo', 'query($id:ID!,$first:Int){orders(id:$id,first:$first){id}}', 'A mistake', () => ({
      id,
    })),
  ],
});

function use(name: string, args: object, answer: (call: UpstreamCall) => Response): Promise<unknown> {
  return run(shop, name, args, {
    userId: 'u',
    clock: createFakeClock(),
    files: createMemoryFiles(),
    upstream: async (call) => answer(call),
    fetch: () => Promise.reject(new Error('none')),
  });
}

describe('a GraphQL request', () => {
  it.each([
    ['shop_get', { id: 'a"b' }, { id: 'a"b' }],
    ['shop_both', {}, {}],
    ['shop_change', { id: 'a' }, { id: 'a', input: { state: 'open' } }],
    ['shop_change', { id: 'a', note: null }, { id: 'a', input: { note: null, state: 'open' } }],
  ])('sends %s with %j', async (name, args, variables) => {
    let body: unknown;
    await use(name, args, (call) => {
      body = JSON.parse(String(call.body));
      expect(call).toMatchObject({
        method: 'POST',
        path: '/graphql',
        headers: { 'content-type': 'application/json' },
      });
      return Response.json({ data: { any: 1 } });
    });
    expect(body).toEqual({ query: expect.stringMatching(/^(query|mutation)/), variables });
  });

  it('takes its access from the document, unless the row names one', () => {
    expect(shop.tools.map(({ access }) => access)).toEqual(['read', 'read', 'write', 'destroy', 'read']);
    expect(shop.tools.map(({ request }) => request)).toContainEqual({ method: 'POST', path: '/graphql' });
  });
});

describe('a GraphQL response', () => {
  const get = (body: unknown, status = 200) =>
    use('shop_get', { id: 'a' }, () => Response.json(body, { status }));
  const notFound = {
    message: 'Entity not found: Issue',
    extensions: { type: 'invalid input', userPresentableMessage: 'Could not find referenced Issue.' },
  };

  it('is returned without its wrapping', async () => {
    expect(await get({ data: { order: { id: 'i', title: 'One' } } })).toEqual({ id: 'i', title: 'One' });
    expect(await get({ data: { order: null } })).toBeNull();
    const both = { me: { id: 'm' }, shop: { id: 's' } };
    expect(await use('shop_both', {}, () => Response.json({ data: both }))).toEqual(both);
  });

  it.each([
    [200, { data: null, errors: [notFound] }, 'Entity not found: Issue Could not find referenced Issue.'],
    [200, { data: { order: { id: 'i' } }, errors: [{ message: 'part is missing' }] }, 'part is missing'],
    [400, { errors: [{ message: 'a' }, { message: 'b' }, { message: 'a' }] }, '400: a b'],
    [
      400,
      { errors: [{ message: 'Rate limit exceeded', extensions: { code: 'RATELIMITED' } }] },
      '400: Rate limit exceeded',
    ],
    [400, { errors: [{ message: 'Odd', extensions: null }] }, '400: Odd'],
    [400, { errors: [{ message: 'Odd', extensions: { userPresentableMessage: 5 } }] }, '400: Odd'],
    [401, { errors: [{ message: 'Authentication required' }] }, '401: Authentication required'],
    [503, { error: 'maintenance' }, '503: maintenance'],
    [200, {}, 'The service answered without data'],
    [200, { data: null, errors: [] }, 'The service answered without data'],
    [200, { data: null, errors: 'no' }, 'The service answered without data'],
    [200, [], 'The service answered without data'],
  ])('fails for %i: %j', async (status, body, message) => {
    await expect(get(body, status)).rejects.toMatchObject({ message });
  });

  it('says when to retry, where the service does', async () => {
    const init = { status: 429, headers: { 'retry-after': '30' } };
    const limited = () => Response.json({ errors: [{ message: 'Slow down' }] }, init);
    await expect(use('shop_both', {}, limited)).rejects.toThrow('429: Slow down (try again in 30 seconds)');
  });

  it('fails when it is not JSON', async () => {
    const page = () => new Response('<html><body>Bad gateway</body></html>', { status: 502 });
    await expect(use('shop_both', {}, page)).rejects.toThrow('502: Bad gateway');
    await expect(use('shop_both', {}, () => new Response('hello'))).rejects.toThrow('without data');
  });
});
