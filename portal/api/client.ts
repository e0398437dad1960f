// The portal's one door to the gateway: adds the session, reads JSON, makes every failure one error.
import { readToken } from './token.ts';
import { waitFor } from './waiting.ts';

/** Status 0: there was no answer at all. */
export class ApiError extends Error {
  readonly status: number;
  /** Where the gateway tells refusals apart by more than their status. */
  readonly code: string;

  constructor(status: number, message: string, code = '') {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
  }
}

export interface RequestOptions {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  body?: unknown;
  signal?: AbortSignal;
  headers?: Readonly<Record<string, string>>;
  /** Goes out even when the page is being left. */
  keepalive?: boolean;
  /** A 401 is about what was sent, not about the session. */
  refusesMore?: boolean;
}

const unauthorized = new EventTarget();

/** Calls back when the gateway refuses the session; answers with the way to stop that. */
export function whenUnauthorized(callback: () => void): () => void {
  unauthorized.addEventListener('refused', callback);
  return () => unauthorized.removeEventListener('refused', callback);
}

export async function send(path: string, options: RequestOptions = {}): Promise<Response> {
  const token = readToken();
  const response = await fetch(path, {
    method: options.method ?? 'GET',
    keepalive: options.keepalive ?? false,
    headers: {
      ...options.headers,
      ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
      ...(options.body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  }).catch((error: unknown) => {
    if (options.signal?.aborted) throw error;
    throw new ApiError(0, '');
  });
  // An answer that is late, to a session already given up, says nothing about the present one.
  if (response.status === 401 && !options.refusesMore && token !== null && token === readToken()) {
    unauthorized.dispatchEvent(new Event('refused'));
  }
  return response;
}

/** The answer's JSON. Its type is what types.ts writes down: portal and gateway are one release. */
export async function request<T>(path: string, options: RequestOptions = {}): Promise<T> {
  const { response, body } = await waitFor(ask(path, options));
  if (!response.ok) throw new ApiError(response.status, messageOf(body), codeOf(body));
  return body as T;
}

async function ask(path: string, options: RequestOptions): Promise<{ response: Response; body: unknown }> {
  const response = await send(path, options);
  const body: unknown = await response.json().catch(() => {
    // Half an answer is none.
    if (response.ok) throw new ApiError(0, '');
    return null;
  });
  return { response, body };
}

// A refusal that has a code has it in `error`, and says in `message` what it means.
function codeOf(body: unknown): string {
  const error = textOf(body, 'error');
  return /^[A-Z_]+$/.test(error) ? error : textOf(body, 'code');
}

function messageOf(body: unknown): string {
  const message = textOf(body, 'message');
  return codeOf(body) === '' || message === '' ? textOf(body, 'error') : message;
}

function textOf(body: unknown, name: string): string {
  const value: unknown =
    typeof body === 'object' && body !== null ? Object.getOwnPropertyDescriptor(body, name)?.value : '';
  return typeof value === 'string' ? value : '';
}
