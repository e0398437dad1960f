// Serves SCIM 2.0: a directory pushes people and groups, with a token of its own. Without the token nothing is here.
// reference: SCIM; decision: 071; RFC 7644
import { type Context, Hono } from 'hono';
import { timingSafeEqual } from 'hono/utils/buffer';
import type { AddressLimits } from '../http/address-limits.ts';
import { bearerToken } from '../http/bearer-token.ts';
import { createErrorHandler, FAILED_ITSELF, HttpError, RETRY_LATER, UNAVAILABLE } from '../http/errors.ts';
import type { RequestEnv } from '../http/observe.ts';
import { readText } from '../http/request-body.ts';
import { isObject, parseJson } from '../json/json.ts';
import type { Ports } from '../ports/ports.ts';
import type { AuditRecorder } from '../record/model/recorder.ts';
import { createScimGroups, type GroupsNeeds } from './groups.ts';
import { SCIM_BODY_BYTES, SCIM_MAX_PAGE, SCIM_PAGE } from './limits.ts';
import { createScimPeople, type PeopleNeeds } from './people.ts';
import { describeSchema, describeService, describeType, SCHEMAS } from './schemas.ts';
import { errorBody, missing, ScimError } from './scim-error.ts';
import { createTrail } from './trail.ts';

type Needs = PeopleNeeds &
  GroupsNeeds &
  Pick<Ports, 'config' | 'log'> & { addressLimits: AddressLimits; audit: AuditRecorder };

interface Resource {
  id: string;
  schemas: readonly string[];
}

/** What people and groups have in common. */
interface Resources {
  list(
    filter: string | undefined,
    place: { offset: number; limit: number },
  ): Promise<{ total: number; resources: readonly Resource[] }>;
  get(id: string): Promise<Resource>;
  create(given: unknown, requestId: string): Promise<Resource & { meta: { location: string } }>;
  replace(id: string, given: unknown, requestId: string): Promise<Resource>;
  patch(id: string, given: unknown, requestId: string): Promise<Resource>;
  remove(id: string, requestId: string): Promise<void>;
}

const PATH = '/scim/v2';
const JSON_TYPE = 'application/scim+json';

export function createScim(deps: Needs): Hono<RequestEnv> {
  const { addressLimits, config } = deps;
  const token = config.SCIM_TOKEN;
  const app = new Hono<RequestEnv>();
  if (token === undefined) return app;
  const base = `${config.SERVER_PUBLIC_URL}${PATH}`;
  const trail = createTrail(deps);
  const answerOther = createErrorHandler(deps);

  app.onError(async (error, c) => {
    if (error instanceof ScimError)
      return answer(c, errorBody(error.status, error.message, error.scimType), error.status);
    if (error instanceof HttpError)
      return answer(c, errorBody(error.status, error.message), error.status, error.headers);
    // It logs the failure, and says whether it may pass.
    const { status } = await answerOther(error, c);
    return status === 503
      ? answer(c, errorBody(503, UNAVAILABLE), 503, RETRY_LATER)
      : answer(c, errorBody(500, FAILED_ITSELF), 500);
  });

  app.use(`${PATH}/*`, async (c, next) => {
    const tooMany = addressLimits.check(c, 'key');
    if (tooMany !== null) throw new HttpError(429, { error: tooMany.sentence }, tooMany.headers);
    const shown = bearerToken(c.req.header('authorization')) ?? '';
    if (!(await timingSafeEqual(shown, token))) {
      addressLimits.count(c, 'key');
      throw new HttpError(401, { error: 'The token is not the one of this gateway' }, REFUSED);
    }
    await next();
  });

  const only = (path: string) => app.all(path, refuseMethod);
  app.get(`${PATH}/ServiceProviderConfig`, (c) => answer(c, describeService(base)));
  only(`${PATH}/ServiceProviderConfig`);
  const described = [
    ['Schemas', describeSchema],
    ['ResourceTypes', describeType],
  ] as const;
  for (const [name, describe] of described) {
    const all = SCHEMAS.map((schema) => describe(schema, base));
    app.get(`${PATH}/${name}`, (c) => {
      // RFC 7644 §4: a filter here is refused.
      if (c.req.query('filter') !== undefined) throw new ScimError(403, 'This list has no filters');
      return answer(c, toList(all, all.length, 1));
    });
    app.get(`${PATH}/${name}/:id`, (c) => {
      const found = all.find(({ id }) => id.toLowerCase() === c.req.param('id').toLowerCase());
      if (found === undefined) throw missing('resource');
      return answer(c, found);
    });
    only(`${PATH}/${name}`);
    only(`${PATH}/${name}/:id`);
  }
  mount('Users', createScimPeople(deps, base, trail));
  mount('Groups', createScimGroups(deps, base, trail));
  for (const name of ['.search', 'Bulk', 'Me'])
    app.all(`${PATH}/${name}`, () => {
      throw new ScimError(501, `This gateway has no ${name} here`);
    });
  app.all(`${PATH}/*`, () => {
    throw missing('resource');
  });

  function mount(name: string, resources: Resources): void {
    const all = `${PATH}/${name}`;
    const one = `${PATH}/${name}/:id`;
    const idOf = (c: Context) => c.req.param('id') ?? '';

    async function list(c: Context, query: Query): Promise<Response> {
      const start = Math.max(1, readCount(query, 'startIndex') ?? 1);
      const limit = Math.min(SCIM_MAX_PAGE, Math.max(0, readCount(query, 'count') ?? SCIM_PAGE));
      const { total, resources: found } = await resources.list(query.filter, { offset: start - 1, limit });
      return answer(
        c,
        toList(
          found.map((resource) => project(query, resource)),
          total,
          start,
        ),
      );
    }

    app.get(all, (c) => list(c, c.req.query()));
    app.post(`${all}/.search`, async (c) => list(c, readSearch(await readBody(c))));
    only(`${all}/.search`);
    app.post(all, async (c) => {
      const made = await resources.create(await readBody(c), c.var.requestId);
      return answer(c, project(c.req.query(), made), 201, { Location: made.meta.location });
    });
    app.get(one, async (c) => answer(c, project(c.req.query(), await resources.get(idOf(c)))));
    app.put(one, async (c) =>
      answer(c, project(c.req.query(), await resources.replace(idOf(c), await readBody(c), c.var.requestId))),
    );
    app.patch(one, async (c) =>
      answer(c, project(c.req.query(), await resources.patch(idOf(c), await readBody(c), c.var.requestId))),
    );
    app.delete(one, async (c) => {
      await resources.remove(idOf(c), c.var.requestId);
      return c.body(null, 204);
    });
    only(all);
    only(one);
  }

  return app;
}

const REFUSED = { 'WWW-Authenticate': 'Bearer realm="scim"' };

function answer(
  c: Context,
  body: object,
  status: ScimError['status'] = 200,
  headers: Record<string, string> = {},
): Response {
  return c.body(JSON.stringify(body), status, {
    'Content-Type': JSON_TYPE,
    'Cache-Control': 'no-store',
    ...headers,
  });
}

async function readBody(c: Context): Promise<unknown> {
  const body = parseJson(await readText(c, SCIM_BODY_BYTES));
  if (body === undefined) throw new ScimError(400, 'The body is not JSON', 'invalidSyntax');
  return body;
}

/** The parameters of a list, in the address or in the body of a search. RFC 7644 §3.4.3 */
interface Query {
  filter?: string;
  startIndex?: string;
  count?: string;
  attributes?: string;
  excludedAttributes?: string;
}

function readSearch(given: unknown): Query {
  if (!isObject(given)) throw new ScimError(400, 'The body must be a JSON object', 'invalidSyntax');
  const read: Query = {};
  for (const name of ['filter', 'startIndex', 'count', 'attributes', 'excludedAttributes'] as const) {
    const value = given[name];
    if (value === undefined || value === null) continue;
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (!values.every((one) => typeof one === 'string' || typeof one === 'number'))
      throw new ScimError(400, `${name} must be a text, a number or a list`, 'invalidValue');
    read[name] = values.join(',');
  }
  return read;
}

function readCount(query: Query, name: 'startIndex' | 'count'): number | undefined {
  const text = query[name];
  if (text === undefined) return undefined;
  if (!/^[+-]?\d{1,9}$/.test(text)) throw new ScimError(400, `${name} must be a number`, 'invalidValue');
  return Number(text);
}

function refuseMethod(): never {
  throw new ScimError(405, 'This path has no such method');
}

const toList = (resources: readonly object[], total: number, startIndex: number) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
  totalResults: total,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
});

/** Only the attributes that were asked for. RFC 7644 §3.9 */
function project({ attributes, excludedAttributes }: Query, resource: Resource): object {
  const wanted = namesIn(attributes);
  const unwanted = namesIn(excludedAttributes);
  if (wanted === null && unwanted === null) return resource;
  return Object.fromEntries(
    Object.entries(resource).flatMap(([name, value]) => {
      if (name === 'id' || name === 'schemas') return [[name, value]];
      const key = name.toLowerCase();
      if (wanted !== null) {
        if (wanted.includes(key)) return [[name, value]];
        const subs = subsOf(wanted, key);
        return subs.length === 0 ? [] : [[name, keep(value, (sub) => subs.includes(sub))]];
      }
      if (unwanted?.includes(key) === true) return [];
      const subs = subsOf(unwanted ?? [], key);
      return [[name, subs.length === 0 ? value : keep(value, (sub) => !subs.includes(sub))]];
    }),
  );
}

function namesIn(text: string | undefined): string[] | null {
  if (text === undefined || text.trim() === '') return null;
  return text.split(',').map((name) =>
    name
      .trim()
      .replace(/^urn:.*:/i, '')
      .toLowerCase(),
  );
}

const subsOf = (names: readonly string[], attribute: string): string[] =>
  names.flatMap((name) => (name.startsWith(`${attribute}.`) ? [name.slice(attribute.length + 1)] : []));

function keep(value: unknown, isKept: (sub: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((one) => keep(one, isKept));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([sub]) => isKept(sub.toLowerCase())));
}
