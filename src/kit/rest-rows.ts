// REST tools as rows: a name, a request, a sentence, its arguments. One interpreter sends them all.
import type * as z from 'zod';
import {
  type Access,
  type Tool,
  tool,
  type ToolContext,
  type Upstream,
  type UpstreamCall,
} from './integration.ts';
import { readPayload } from './payload.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Placeholders<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Plain}+` ? Plain : Name) | Placeholders<Rest>
  : never;

/** How an API spells what tools spell in camelCase, and lists in a query. */
export interface Style {
  names: 'snake_case' | 'camelCase';
  /** `a=1&a=2`, `a[]=1&a[]=2` or `a=1,2`. */
  lists?: 'repeat' | 'brackets' | 'comma';
  /** Of bodies, where the API wants their charset said. */
  contentType?: string;
  /** What every answer passes first, for what its headers tell; throws as `read` does. */
  look?: (response: Response) => void;
  /** What every payload passes through first; throws where the API says no with a 200. */
  read?: (payload: unknown) => unknown;
}

export interface RowOptions<Args> {
  /** The API's own names of arguments. */
  names?: Partial<Record<keyof Args & string, string>>;
  /** Arguments that go into the query of a request with a body. */
  query?: readonly (keyof Args & string)[];
  /** Arguments for `result` only, which are not sent. */
  local?: readonly (keyof Args & string)[];
  /** An argument that is the whole body; a DELETE has one then too. */
  body?: keyof Args & string;
  headers?: Readonly<Record<string, string>>;
  lists?: Style['lists'];
  access?: Access;
  /** What the caller gets of the payload. */
  result?: (payload: unknown, args: Args) => unknown;
}

type ArgsOf<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape, z.core.$strict>>;

export interface RestRows {
  /** `{name}` in the path has to be an argument; `{name+}` keeps its slashes, as file paths want. */
  row: <const Path extends string, Shape extends z.ZodRawShape & Record<Placeholders<Path>, z.ZodType>>(
    name: string,
    request: `${Method} ${Path}`,
    description: string,
    shape: () => Shape,
    options?: RowOptions<ArgsOf<Shape>>,
  ) => Tool;
  /** The same sending, for tools with logic of their own. */
  send: (
    upstream: Upstream,
    request: `${Method} /${string}`,
    args?: Record<string, unknown>,
    options?: SendOptions,
  ) => Promise<unknown>;
  /** What `send` would send, for a body that is not JSON or an answer that is bytes. */
  toCall: (
    request: `${Method} /${string}`,
    args?: Record<string, unknown>,
    options?: SendOptions,
  ) => UpstreamCall;
}

export type SendOptions = Pick<
  RowOptions<Record<string, unknown>>,
  'names' | 'query' | 'local' | 'body' | 'headers' | 'lists'
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
      const run = async (
        args: ArgsOf<ReturnType<typeof shape>>,
        { upstream }: ToolContext,
      ): Promise<unknown> => {
        const payload = await send(upstream, request, args, options);
        return options.result === undefined ? payload : options.result(payload, args);
      };
      // Not spread: that would make every schema at the start.
      return Object.assign(tool(name, description, shape, run, options.access ?? ACCESS[method]), {
        request: { method, path },
      });
    },
  };
}

function splitRequest(request: string): { method: Method; path: string } {
  const [method = '', path = ''] = request.split(' ');
  // The type of `request` allows nothing else.
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
  const query = new URLSearchParams();
  const body: Record<string, unknown> = {};
  for (const [name, value] of left) {
    if (hasBody && options.query?.includes(name) !== true) body[wire(name)] = value;
    else appendQuery(query, wire(name), value, options.lists ?? 'repeat');
  }
  if (!hasBody) return { method, path, query, headers: { ...options.headers } };
  const whole = options.body === undefined ? body : left.get(options.body);
  const headers = { 'content-type': style.contentType ?? 'application/json', ...options.headers };
  return { method, path, query, headers, body: JSON.stringify(whole) };
}

/** For what an API gives percent-encoded, as some do with ids and cursors: it is encoded again on its way into an address. */
export function percentDecode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** A value of a path is one segment, whatever is in it; `.` and `..` would walk. */
function encodeSegment(value: string): string {
  if (value === '' || value === '.' || value === '..')
    throw new Error(`"${value}" cannot stand in an address`);
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
  if (!Array.isArray(value)) return query.append(name, String(value));
  if (lists === 'comma') return query.append(name, value.join(','));
  for (const item of value) query.append(lists === 'brackets' ? `${name}[]` : name, String(item));
}

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
