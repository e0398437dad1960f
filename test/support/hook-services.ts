// The services at which the gateway makes webhooks, built from their documentation. What each is asked is judged by something
// of the service itself: the description of GitHub, the schema of Linear, the clients of Stripe and of Shopify.
import { getVariableValues, Kind, parse, validate } from 'graphql';
import { restResources } from '@shopify/shopify-api/rest/admin/2026-04';
import Stripe from 'stripe';
import { type Api, type Answer, type Call, serve } from './fake-gitlab.ts';
import { readLinearSchema } from './linear-schema.ts';
import { createJudge } from './openapi-judge.ts';
import { findReal, REAL, readReal } from './openapi-corpus.ts';

/** A webhook as the service keeps it. */
export interface MadeHook {
  url: string;
  /** What the service signs with. */
  secret: string;
  events: readonly string[];
}

export interface HookService {
  api: Api;
  hooks: Map<string, MadeHook>;
  /** Says no from now on. */
  refuse: boolean;
  /** What is wrong with what was asked about webhooks so far. */
  judge(): Promise<string[]>;
  /** For UPSTREAM_MAP. */
  map: string;
  /** What a person enters to connect. */
  values: Record<string, string>;
  /** What `args` names. */
  args: Record<string, string>;
}

/** A request that a resource of Shopify's library makes. */
interface ResourcePath {
  http_method: string;
  path: string;
}

export type ServiceName = 'github' | 'gitlab' | 'linear' | 'jira' | 'stripe' | 'shopify';

const REFUSED: Answer = { status: 403, body: { message: 'Resource not accessible by this token' } };

/** Starts one service. Each knows one account, and one place where there can be webhooks. */
export async function startHookService(name: ServiceName): Promise<HookService> {
  const hooks = new Map<string, MadeHook>();
  let count = 100;
  const state = { refuse: false };
  const keep = (hook: MadeHook): string => {
    const id = String(++count);
    hooks.set(id, hook);
    return id;
  };
  const remove = (id: string, done: Answer, missing: Answer): Answer => (hooks.delete(id) ? done : missing);
  const json = ({ body }: Call) => JSON.parse(body);
  const gone: Answer = { status: 404, body: { message: 'Not Found' } };
  const made = {
    github: async () => {
      const description = REAL.find((each) => each.name === 'GitHub');
      const path = description === undefined ? null : findReal(description);
      const judge = path === null ? null : createJudge(readReal(path));
      const api = await serve(
        [
          [/^GET \/user$/, () => ({ body: { id: 1, login: 'ana' } })],
          [
            /^POST \/repos\/ana\/shop\/hooks$/,
            (call) => {
              if (state.refuse) return REFUSED;
              const { config, events } = json(call);
              return {
                status: 201,
                body: { id: Number(keep({ url: config.url, secret: config.secret, events })) },
              };
            },
          ],
          [/^DELETE \/repos\/ana\/shop\/hooks\/(\d+)$/, (_, id = '') => remove(id, { status: 204 }, gone)],
        ],
        () => null,
        gone,
      );
      return {
        api,
        map: `https://api.github.com=${api.url}`,
        values: { token: 'ghp_ana' },
        args: { owner: 'ana', repo: 'shop' },
        judge: async (call: Call) => {
          const path = '/repos/{owner}/{repo}/hooks';
          const isDelete = call.method === 'DELETE';
          const operation = {
            method: call.method.toLowerCase(),
            path: isDelete ? `${path}/{hook_id}` : path,
          };
          return judge === null
            ? []
            : ((await judge.judge(operation, seenOf(call))) ?? ['it was not judged']);
        },
      };
    },
    gitlab: async () => {
      const KNOWN =
        'url token enable_ssl_verification push_events merge_requests_events issues_events note_events pipeline_events releases_events';
      const api = await serve(
        [
          [/^GET \/api\/v4\/user$/, () => ({ body: { id: 1, username: 'ana' } })],
          [
            /^POST \/api\/v4\/projects\/ana%2Fshop\/hooks$/,
            (call) => {
              if (state.refuse) return REFUSED;
              const { url, token, ...body } = json(call);
              const events = Object.keys(body).filter((key) => key.endsWith('_events') && body[key] === true);
              return { status: 201, body: { id: Number(keep({ url, secret: token, events })) } };
            },
          ],
          [
            /^DELETE \/api\/v4\/projects\/ana%2Fshop\/hooks\/(\d+)$/,
            (_, id = '') => remove(id, { status: 204 }, gone),
          ],
        ],
        () => null,
        gone,
      );
      return {
        api,
        map: `https://gitlab.com=${api.url}`,
        values: { token: 'glpat-ana' },
        args: { project: 'ana/shop' },
        judge: (call: Call) =>
          Promise.resolve(
            call.method === 'POST'
              ? Object.keys(json(call)).filter((key) => !KNOWN.split(' ').includes(key))
              : [],
          ),
      };
    },
    linear: async () => {
      const schema = readLinearSchema();
      const api = await serve(
        [
          [
            /^POST \/graphql$/,
            (call) => {
              const { query, variables } = json(call);
              if (query.includes('viewer')) return { body: { data: { viewer: { id: '1', email: 'ana' } } } };
              if (state.refuse)
                return {
                  body: {
                    data: null,
                    errors: [
                      { message: 'You need to be a workspace admin', extensions: { code: 'FORBIDDEN' } },
                    ],
                  },
                };
              if (query.includes('webhookDelete'))
                return { body: { data: { webhookDelete: { success: hooks.delete(variables.id) } } } };
              const { url, secret, resourceTypes: events } = variables.input;
              const id = keep({ url, secret, events });
              return { body: { data: { webhookCreate: { success: true, webhook: { id } } } } };
            },
          ],
        ],
        () => null,
        gone,
      );
      return {
        api,
        map: `https://api.linear.app=${api.url}`,
        values: { apiKey: 'lin_api_ana' },
        args: {},
        judge: (call: Call) => {
          const { query, variables = {} } = json(call);
          const document = parse(query);
          const [operation] = document.definitions;
          if (operation?.kind !== Kind.OPERATION_DEFINITION) return Promise.resolve(['no operation']);
          const values = getVariableValues(schema, operation.variableDefinitions ?? [], variables);
          return Promise.resolve(
            [...validate(schema, document), ...('errors' in values ? (values.errors ?? []) : [])].map(
              ({ message }) => message,
            ),
          );
        },
      };
    },
    jira: async () => {
      const api = await serve(
        [
          [/^GET \/rest\/api\/3\/myself$/, () => ({ body: { accountId: 'a', displayName: 'Ana' } })],
          [
            /^POST \/rest\/webhooks\/1\.0\/webhook$/,
            (call) => {
              if (state.refuse) return REFUSED;
              const { url, secret, events } = json(call);
              const id = keep({ url, secret, events });
              return {
                status: 201,
                body: { self: `https://acme.atlassian.net/rest/webhooks/1.0/webhook/${id}` },
              };
            },
          ],
          [
            /^DELETE \/rest\/webhooks\/1\.0\/webhook\/(\d+)$/,
            (_, id = '') => remove(id, { status: 204 }, gone),
          ],
        ],
        () => null,
        gone,
      );
      return {
        api,
        map: `https://acme.atlassian.net=${api.url}`,
        values: { email: 'ana@example.com', token: 'ATATT', instanceUrl: 'https://acme.atlassian.net' },
        args: { name: 'Events' },
        judge: (call: Call) => {
          const known = ['name', 'description', 'url', 'events', 'filters', 'excludeBody', 'secret'];
          return Promise.resolve(
            call.method === 'POST' ? Object.keys(json(call)).filter((key) => !known.includes(key)) : [],
          );
        },
      };
    },
    stripe: async () => {
      const api = await serve(
        [
          [
            /^GET \/v1\/account$/,
            () => ({ body: { id: 'acct_1', settings: { dashboard: { display_name: 'Ana' } } } }),
          ],
          [
            /^POST \/v1\/webhook_endpoints$/,
            ({ body }) => {
              if (state.refuse)
                return {
                  status: 403,
                  body: {
                    error: {
                      type: 'invalid_request_error',
                      message: 'The key lacks the permission webhook_write',
                    },
                  },
                };
              const form = new URLSearchParams(body);
              const events = [...form].flatMap(([key, value]) =>
                key.startsWith('enabled_events') ? [value] : [],
              );
              const secret = `whsec_stripe${count}`;
              const id = keep({ url: form.get('url') ?? '', secret, events });
              return { body: { id, object: 'webhook_endpoint', secret, enabled_events: events } };
            },
          ],
          [
            /^DELETE \/v1\/webhook_endpoints\/(\d+)$/,
            (_, id = '') => remove(id, { body: { id, deleted: true } }, gone),
          ],
        ],
        () => null,
        gone,
      );
      return {
        api,
        map: `https://api.stripe.com=${api.url}`,
        values: { apiKey: 'rk_live_ana' },
        args: {},
        judge: judgeByStripe,
      };
    },
    shopify: async () => {
      // The list of its requests, which the class keeps to itself.
      const { paths } = restResources.Webhook as unknown as { paths: ResourcePath[] };
      const api = await serve(
        [
          [
            /^POST \/admin\/api\/2026-04\/graphql\.json$/,
            () => ({ body: { data: { shop: { id: '1', name: 'Ana' } } } }),
          ],
          [
            /^POST \/admin\/api\/2026-04\/webhooks\.json$/,
            (call) => {
              if (state.refuse)
                return { status: 422, body: { errors: { topic: ['Invalid topic specified'] } } };
              const { address, topic } = json(call).webhook;
              // Shopify signs with the secret of the app.
              const id = keep({ url: address, secret: 'app-secret', events: [topic] });
              return { status: 201, body: { webhook: { id: Number(id), address, topic } } };
            },
          ],
          [
            /^DELETE \/admin\/api\/2026-04\/webhooks\/(\d+)\.json$/,
            (_, id = '') => remove(id, { body: {} }, gone),
          ],
        ],
        () => null,
        gone,
      );
      return {
        api,
        map: `https://acme.myshopify.com=${api.url}`,
        values: { token: 'shpat_ana', instanceUrl: 'https://acme.myshopify.com' },
        args: {},
        judge: (call: Call) => {
          const own = `${call.method} ${call.path.replace('/admin/api/2026-04/', '').replace(/\d+/, '<id>')}`;
          const known = paths.map(({ http_method: method, path }) => `${method.toUpperCase()} ${path}`);
          return Promise.resolve(known.includes(own) ? [] : [`no path ${own}`]);
        },
      };
    },
  }[name];
  const { judge, ...service } = await made();
  return {
    ...service,
    hooks,
    get refuse() {
      return state.refuse;
    },
    set refuse(value) {
      state.refuse = value;
    },
    async judge() {
      const asked = service.api.calls.filter(({ path, body }) => /hook/i.test(`${path}${body}`));
      return (await Promise.all(asked.map(judge))).flat();
    },
  };
}

const seenOf = ({ method, path, query, headers, body }: Call) => ({
  method,
  path,
  search: query.size === 0 ? '' : `?${query}`,
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
  body: new TextEncoder().encode(body),
});

/** What the client of Stripe itself sends for the same. */
async function judgeByStripe(call: Call): Promise<string[]> {
  const own = await serve([], () => ({ body: { id: 'we_1' } }), { status: 404 });
  try {
    const { hostname: host, port } = new URL(own.url);
    const client = new Stripe('sk_test_x', {
      host,
      port,
      protocol: 'http',
      maxNetworkRetries: 0,
      telemetry: false,
    });
    const form = new URLSearchParams(call.body);
    const id = call.path.split('/').at(-1) ?? '';
    if (call.method === 'DELETE') await client.webhookEndpoints.del(id);
    else
      await client.webhookEndpoints.create({
        url: form.get('url') ?? '',
        // The client checks no names.
        enabled_events: [form.get('enabled_events[]') as '*'],
      });
    const [theirs] = own.calls;
    const line = ({ method, path, body }: Call) =>
      `${method} ${path} ${[...new URLSearchParams(body)]
        .map(([key, value]) => `${key.replace(/\[\d*\]/, '[]')}=${value}`)
        .toSorted()
        .join()}`;
    return theirs !== undefined && line(theirs) === line(call)
      ? []
      : [`${line(call)}, and not ${theirs && line(theirs)}`];
  } finally {
    await own.close();
  }
}
