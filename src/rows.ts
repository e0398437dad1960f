// REST tools as rows: a name, a request, a sentence, its arguments. One interpreter sends them all.
import type * as z from 'zod';
import { parseUpstreamJson } from './egress/json.ts';
import {
  type Access,
  type Tool,
  tool,
  type ToolContext,
  type Upstream,
  type UpstreamCall,
} from './integration.ts';

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

export interface Rows {
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

/** An upstream said no. The message is its own; `payload` is what it sent, `retryAfter` as in the header of that name. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  readonly status: number;
  readonly payload: unknown;
  readonly retryAfter: string | null;

  constructor(status: number, payload: unknown, retryAfter: string | null = null) {
    super(`${status}: ${explain(payload)}${whenAgain(retryAfter)}`);
    this.status = status;
    this.payload = payload;
    this.retryAfter = retryAfter;
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

/** JSON as a value, other text as text, nothing as `{}`; an error status throws. */
export async function readPayload(response: Response): Promise<unknown> {
  const text = await response.text();
  const isJson = /\bjson\b/i.test(response.headers.get('content-type') ?? '');
  const payload = text === '' ? {} : isJson ? parseUpstreamJson(text, 'the service') : text;
  if (!response.ok) throw new UpstreamError(response.status, payload, retryAfterOf(response));
  return payload;
}

/** The end of a log, where what went wrong usually stands. */
export function tail(payload: unknown, lines: number): { log: string; truncated: boolean } {
  const text = typeof payload === 'string' ? payload : '';
  const all = text.replace(/\n$/, '').split('\n');
  return lines < all.length
    ? { log: all.slice(all.length - Math.max(lines, 0)).join('\n'), truncated: true }
    : { log: text, truncated: false };
}

const LONGEST = 1_500;
const LONGEST_PAGE = 4_000;

/** The upstream's own words, wherever it keeps them. */
function explain(payload: unknown): string {
  if (typeof payload === 'string') return wordsOf(payload.slice(0, LONGEST * 10)).slice(0, LONGEST);
  if (typeof payload !== 'object' || payload === null || Object.keys(payload).length === 0)
    return 'the upstream gave no reason';
  const words = [
    'message',
    'error',
    'err',
    'detail',
    'error_description',
    'error_message',
    'errors',
    'errorMessages',
    'needed',
    'response_metadata',
  ].flatMap((key) => {
    const value: unknown = Reflect.get(payload, key);
    if (typeof value === 'string') return value === '' ? [] : [value];
    // `"error": true` says no more than the status, and an empty list nothing.
    if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return [];
    return [JSON.stringify(value)];
  });
  // PostHog names the field beside the words about it.
  const field: unknown = Reflect.get(payload, 'attr');
  const said = words.length > 0 ? words.join(' ') : JSON.stringify(payload);
  return (typeof field === 'string' && field !== '' ? `${field}: ${said}` : said).slice(0, LONGEST);
}

/** Of a limit that is used up GitHub says when it begins anew in Unix seconds, Datadog in how many from now. */
function retryAfterOf({ status, headers }: Response): string | null {
  const isUsedUp = (status === 403 || status === 429) && headers.get('x-ratelimit-remaining') === '0';
  const reset = isUsedUp ? (headers.get('x-ratelimit-reset') ?? '') : '';
  const isMoment = /^\d{10}$/.test(reset);
  return headers.get('retry-after') ?? (isMoment ? new Date(Number(reset) * 1000).toUTCString() : reset);
}

/** RFC 9110 §10.2.3: seconds or a date. */
function whenAgain(retryAfter: string | null): string {
  if (retryAfter === null) return '';
  if (/^\d{1,9}$/.test(retryAfter)) return ` (try again in ${retryAfter} seconds)`;
  return /^[A-Z][a-z]{2}, [\w :]{20,25}$/.test(retryAfter) ? ` (try again after ${retryAfter})` : '';
}

/** What a proxy's error page says, without its markup. */
function wordsOf(text: string): string {
  if (!/^\s*<(!doctype|html|head|body)\b/i.test(text)) return text;
  return text
    .slice(0, LONGEST_PAGE)
    .replace(/<(script|style)\b.*?<\/\1>|<!--.*?-->|<[^<>]*>/gis, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
