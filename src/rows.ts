// REST tools as rows: a name, a request, a sentence, its arguments. One interpreter sends them all.
import * as z from 'zod';
import { parseUpstreamJson } from './egress/json.ts';
import { type Access, type Tool, tool, type ToolContext, type Upstream } from './integration.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Placeholders<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

/** How an API spells what tools spell in camelCase, and lists in a query. */
export interface Style {
  names: 'snake_case' | 'camelCase';
  /** `a=1&a=2`, `a[]=1&a[]=2` or `a=1,2`. */
  lists?: 'repeat' | 'brackets' | 'comma';
}

export interface RowOptions<Args> {
  /** The API's own names of arguments. */
  names?: Partial<Record<keyof Args & string, string>>;
  /** Arguments that go into the query of a request with a body. */
  query?: readonly (keyof Args & string)[];
  /** An argument that is the whole body. */
  body?: keyof Args & string;
  headers?: Readonly<Record<string, string>>;
  lists?: Style['lists'];
  access?: Access;
  /** What the caller gets of the payload. */
  result?: (payload: unknown, args: Args) => unknown;
}

type Args<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape, z.core.$strict>>;

export interface Rows {
  /** `{name}` in the path has to be an argument. */
  row<const Path extends string, Shape extends z.ZodRawShape & Record<Placeholders<Path>, z.ZodType>>(
    name: string,
    request: `${Method} ${Path}`,
    description: string,
    shape: Shape,
    options?: RowOptions<Args<Shape>>,
  ): Tool;
  /** The same sending, for tools with logic of their own. */
  send(
    upstream: Upstream,
    request: `${Method} /${string}`,
    args?: Record<string, unknown>,
    options?: SendOptions,
  ): Promise<unknown>;
}

export type SendOptions = Pick<
  RowOptions<Record<string, unknown>>,
  'names' | 'query' | 'body' | 'headers' | 'lists'
>;

/** An upstream said no. The message is its own; `payload` is what it sent. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  readonly status: number;
  readonly payload: unknown;

  constructor(status: number, payload: unknown) {
    super(`${status}: ${explain(payload)}`);
    this.status = status;
    this.payload = payload;
  }
}

const ACCESS: Record<Method, Access> = {
  GET: 'read',
  HEAD: 'read',
  POST: 'write',
  PUT: 'write',
  PATCH: 'write',
  DELETE: 'destroy',
};

export function createRows(style: Style): Rows {
  const send: Rows['send'] = async (upstream, request, args = {}, options = {}) => {
    const { method, path } = splitRequest(request);
    return readPayload(await upstream(toCall(method, path, args, { lists: style.lists, ...options }, style)));
  };

  return {
    send,
    row(name, request, description, shape, options = {}) {
      const { method, path } = splitRequest(request);
      const run = async (args: Args<typeof shape>, { upstream }: ToolContext): Promise<unknown> => {
        const payload = await readPayload(
          await upstream(toCall(method, path, args, { lists: style.lists, ...options }, style)),
        );
        return options.result === undefined ? payload : options.result(payload, args);
      };
      return {
        ...tool(name, description, shape, run, options.access ?? ACCESS[method]),
        request: { method, path },
      };
    },
  };
}

function splitRequest(request: string): { method: Method; path: string } {
  const [method = '', path = ''] = request.split(' ');
  // The type of `request` allows nothing else.
  return { method: method as Method, path };
}

function toCall(
  method: Method,
  template: string,
  args: Record<string, unknown>,
  options: SendOptions,
  style: Style,
) {
  const left = new Map(Object.entries(args).filter(([, value]) => value !== undefined));
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = left.get(name);
    left.delete(name);
    return encodeSegment(String(value));
  });
  const hasBody = method === 'POST' || method === 'PUT' || method === 'PATCH';
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
  const headers = { 'content-type': 'application/json', ...options.headers };
  return { method, path, query, headers, body: JSON.stringify(whole) };
}

/** A value of a path is one segment, whatever is in it; `.` and `..` would walk. */
function encodeSegment(value: string): string {
  if (value === '' || value === '.' || value === '..')
    throw new Error(`"${value}" cannot stand in an address`);
  return encodeURIComponent(value);
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

/** JSON as a value, other text as text, nothing as `{}`; an error status throws. */
export async function readPayload(response: Response): Promise<unknown> {
  const text = await response.text();
  const isJson = /\bjson\b/i.test(response.headers.get('content-type') ?? '');
  const payload = text === '' ? {} : isJson ? parseUpstreamJson(text, 'the service') : text;
  if (!response.ok) throw new UpstreamError(response.status, payload);
  return payload;
}

const LONGEST = 1_500;

/** The upstream's own words, wherever it keeps them. */
function explain(payload: unknown): string {
  if (typeof payload === 'string') return payload.slice(0, LONGEST);
  if (typeof payload !== 'object' || payload === null) return 'the upstream refused';
  const words = [
    'message',
    'error',
    'detail',
    'error_description',
    'error_message',
    'errors',
    'errorMessages',
  ].flatMap((key) => {
    const value: unknown = Reflect.get(payload, key);
    if (value === undefined || value === null || value === '') return [];
    return [typeof value === 'string' ? value : JSON.stringify(value)];
  });
  return (words.length > 0 ? words.join(' ') : JSON.stringify(payload)).slice(0, LONGEST);
}
