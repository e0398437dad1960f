// The portal's one door to the gateway: adds the session, reads JSON, makes every failure one error.
import { readToken } from '../session/token.ts';

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
  method?: 'GET' | 'POST' | 'DELETE';
  body?: unknown;
  signal?: AbortSignal;
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
    headers: {
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
  const response = await send(path, options);
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw new ApiError(response.status, messageOf(body), textOf(body, 'code'));
  return body as T;
}

// With a code, `error` repeats the code and `message` says it in words.
function messageOf(body: unknown): string {
  return textOf(body, 'code') === '' ? textOf(body, 'error') : textOf(body, 'message');
}

function textOf(body: unknown, name: string): string {
  const value: unknown =
    typeof body === 'object' && body !== null ? Object.getOwnPropertyDescriptor(body, name)?.value : '';
  return typeof value === 'string' ? value : '';
}
