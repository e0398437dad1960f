// Turns REST requests into tools: a name, a request, a description and its arguments.
import type * as z from 'zod';
import { writeJson } from '../json/exact-integers.ts';
import {
  type Access,
  type Tool,
  tool,
  type ToolContext,
  type Upstream,
  type UpstreamCall,
} from './integration.ts';
import { nestedFields } from './nested-fields.ts';
import { readPayload } from './payload.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Placeholders<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Plain}+` ? Plain : Name) | Placeholders<Rest>
  : never;

/** Describes how an API spells argument names and lists. Tools spell names in camelCase. */
export interface Style {
  names: 'snake_case' | 'camelCase';
  /** The spelling of a list in a query: `a=1&a=2`, `a[]=1&a[]=2` or `a=1,2`. */
  lists?: 'repeat' | 'brackets' | 'comma';
  /** The format of bodies; JSON by default. A form spells what is nested as `a[b]=1`. */
  bodies?: 'json' | 'form';
  /** The content type of bodies, where the API wants a charset in it. */
  contentType?: string;
  /** Looks at the headers of every answer first. It throws as `read` does. */
  look?: (response: Response) => void;
  /** Transforms every payload first. It throws when the API refuses with a 200. */
  read?: (payload: unknown) => unknown;
}

export interface RowOptions<Args> {
  /** The API's own names for arguments. */
  names?: Partial<Record<keyof Args & string, string>>;
  /** The arguments that go into the query of a request with a body. */
  query?: readonly (keyof Args & string)[];
  /** The arguments that only `result` uses. They are not sent. */
  local?: readonly (keyof Args & string)[];
  /** The argument that is the whole body. A DELETE may have one too. */
  body?: keyof Args & string;
  headers?: Readonly<Record<string, string>>;
  /** What every request of the row has in its query, such as the members to return. */
  always?: Readonly<Record<string, string>>;
  /** The member of the body that holds the arguments, for an API that wraps them. */
  wrap?: string;
  lists?: Style['lists'];
  access?: Access;
  /** Makes the caller's result out of the payload. It may keep files. */
  result?: (payload: unknown, args: Args, context: ToolContext) => unknown;
}

type ArgsOf<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape, z.core.$strict>>;

export interface RestRows {
  /** Each `{name}` in the path must be an argument. `{name+}` keeps its slashes, for file paths. */
  row: <const Path extends string, Shape extends z.ZodRawShape & Record<Placeholders<Path>, z.ZodType>>(
    name: string,
    request: `${Method} ${Path}`,
    description: string,
    shape: () => Shape,
    options?: RowOptions<ArgsOf<Shape>>,
  ) => Tool;
  /** Sends a request, for tools with logic of their own. */
  send: (
    upstream: Upstream,
    request: `${Method} /${string}`,
    args?: Record<string, unknown>,
    options?: SendOptions,
  ) => Promise<unknown>;
  /** Builds the call that `send` would send, for a body that is not JSON or an answer that is bytes. */
  toCall: (
    request: `${Method} /${string}`,
    args?: Record<string, unknown>,
    options?: SendOptions,
  ) => UpstreamCall;
}

export type SendOptions = Pick<
  RowOptions<Record<string, unknown>>,
  'names' | 'query' | 'local' | 'body' | 'headers' | 'lists' | 'always' | 'wrap'
>;

const ACCESS: Record<Method, Access> = {
  GET: 'read',
  HEAD: 'read',
  POST: 'write',
  PUT: 'write',
  PATCH: 'write',
  DELETE: 'destroy',
};

export function createRows(style: Style): RestRows {
  const { read = (payload) => payload } = style;

  function toCall(
    request: string,
    args: Record<string, unknown> = {},
    options: SendOptions = {},
  ): UpstreamCall {
    const { method, path } = splitRequest(request);
    return compose(method, path, args, { lists: style.lists, ...options }, style);
  }

  async function send(
    upstream: Upstream,
    request: string,
    args?: Record<string, unknown>,
    options?: SendOptions,
  ): Promise<unknown> {
    const response = await upstream(toCall(request, args, options));
    style.look?.(response);
    return read(await readPayload(response));
  }

  return {
    send,
    toCall,
    row(name, request, description, shape, options = {}) {
      const { method, path } = splitRequest(request);
      const run = async (args: ArgsOf<ReturnType<typeof shape>>, context: ToolContext): Promise<unknown> => {
        const payload = await send(context.upstream, request, args, options);
        return options.result === undefined ? payload : options.result(payload, args, context);
      };
      // A spread would build every schema at the start.
      return Object.assign(tool(name, description, shape, run, options.access ?? ACCESS[method]), {
        request: { method, path },
      });
    },
  };
}

function splitRequest(request: string): { method: Method; path: string } {
  const [method = '', path = ''] = request.split(' ');
  // The type of `request` allows no other method.
  return { method: method as Method, path };
}

function compose(
  method: Method,
  template: string,
  args: Record<string, unknown>,
  options: SendOptions,
  style: Style,
): UpstreamCall {
  const isSent = ([name, value]: [string, unknown]) =>
    value !== undefined && options.local?.includes(name) !== true;
  const left = new Map(Object.entries(args).filter(isSent));
  const path = template.replace(/\{(\w+)(\+?)\}/g, (_, name: string, plus: string) => {
    const value = String(left.get(name));
    left.delete(name);
    return plus === '' ? encodeSegment(value) : encodeSegments(value);
  });
  const hasBody = /^(POST|PUT|PATCH)$/.test(method) || options.body !== undefined;
  const wire = (name: string) =>
    options.names?.[name] ?? (style.names === 'snake_case' ? toSnakeCase(name) : name);
  const query = new URLSearchParams(options.always);
  const body: Record<string, unknown> = {};
  for (const [name, value] of left) {
    if (hasBody && options.query?.includes(name) !== true) body[wire(name)] = value;
    else appendQuery(query, wire(name), value, options.lists ?? 'repeat');
  }
  if (!hasBody) return { method, path, query, headers: { ...options.headers } };
  if (style.bodies === 'form') {
    const fields = Object.entries(body).flatMap(([name, value]) => [...nestedFields(name, value)]);
    const form = new URLSearchParams(fields.map(([name, value]) => [name, value]));
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...options.headers };
    return { method, path, query, headers, body: form.toString() };
  }
  const fields = options.wrap === undefined ? body : { [options.wrap]: body };
  const whole = options.body === undefined ? fields : left.get(options.body);
  const headers = { 'content-type': style.contentType ?? 'application/json', ...options.headers };
  return { method, path, query, headers, body: writeJson(whole) };
}

/** Decodes ids and cursors that an API gives percent-encoded, because an address encodes them again. */
export function percentDecode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Encodes a value as exactly one path segment. It refuses `.` and `..`, which would change the path. */
function encodeSegment(value: string): string {
  if (value === '' || value === '.' || value === '..')
    throw new Error(`"${value}" cannot be part of an address`);
  return encodeURIComponent(value);
}

function encodeSegments(value: string): string {
  return value
    .split('/')
    .filter((segment) => segment !== '')
    .map(encodeSegment)
    .join('/');
}

function appendQuery(
  query: URLSearchParams,
  name: string,
  value: unknown,
  lists: NonNullable<Style['lists']>,
): void {
  if (!Array.isArray(value)) {
    for (const [field, text] of nestedFields(name, value)) query.append(field, text);
    return;
  }
  if (lists === 'comma') return query.append(name, value.join(','));
  for (const item of value) query.append(lists === 'brackets' ? `${name}[]` : name, String(item));
}

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
