// Sends every request of the portal: adds the session token, reads JSON and turns every failure into an ApiError.
import { type Answer, forgetAhead, takeAhead } from './ahead.ts';
import { keepAnswer, keptAnswer } from './kept-answers.ts';
import { checkLine, noticeAnswer } from './line.ts';
import { readToken } from './token.ts';
import { waitFor } from './waiting.ts';

/** Status 0 means that no response arrived. */
export class ApiError extends Error {
  readonly status: number;
  /** The gateway's error code. Empty when the status says everything. */
  readonly code: string;

  constructor(status: number, message: string, code = '') {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
  }
}

export interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  body?: unknown;
  signal?: AbortSignal;
  headers?: Readonly<Record<string, string>>;
  /** Sends the request even when the person leaves the page. */
  keepalive?: boolean;
  /** The gateway answers when something happens, so a late response is no slow one. */
  waits?: boolean;
  /** A 401 refuses the request's body, not the session. */
  refusesMore?: boolean;
}

const unauthorized = new EventTarget();

/** Calls back when the gateway refuses the session. Returns a function that stops listening. */
export function whenUnauthorized(callback: () => void): () => void {
  unauthorized.addEventListener('refused', callback);
  return () => unauthorized.removeEventListener('refused', callback);
}

export async function send(path: string, options: RequestOptions = {}): Promise<Response> {
  const token = readToken();
  if (options.method !== undefined) forgetRunning();
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
    void checkLine();
    throw new ApiError(0, '');
  });
  if (options.method !== undefined) forgetRunning();
  // A late response to an earlier session says nothing about the current session.
  if (response.status === 401 && !options.refusesMore && token !== null && token === readToken()) {
    unauthorized.dispatchEvent(new Event('refused'));
  }
  return response;
}

/** Returns the response's JSON. The types are the gateway's own: portal and gateway are one release. */
export async function request<T>(path: string, options: RequestOptions = {}): Promise<T> {
  const isRead = options.method === undefined;
  const kept = isRead ? keptAnswer(path) : undefined;
  const headers = kept === undefined ? options.headers : { ...options.headers, 'If-None-Match': kept.tag };
  const all = headers === undefined ? options : { ...options, headers };
  const answer = isRead && options.signal === undefined ? share(path, all) : ask(path, all);
  const { response, body } = await (options.waits === true ? answer : waitFor(answer));
  if (kept !== undefined && response.status === 304) return kept.body as T;
  if (isRead && response.ok) keepAnswer(path, response.headers.get('ETag'), body);
  if (!response.ok) throw toApiError(response.status, body);
  return body as T;
}

/** Returns a file. A browser keeps a large one on its disk. */
export async function requestFile(path: string): Promise<Blob> {
  const response = await waitFor(send(path));
  if (!response.ok) throw toApiError(response.status, await response.json().catch(() => null));
  return response.blob().catch(() => {
    // The connection ended in the middle of the file.
    throw new ApiError(0, '');
  });
}

/** Reads the error in the JSON of a refusal. */
export function toApiError(status: number, body: unknown): ApiError {
  return new ApiError(status, messageOf(body), codeOf(body));
}

const running = new Map<string, Promise<Answer>>();

/** Requests of several parts of a page at once for the same have one answer. */
function share(path: string, options: RequestOptions): Promise<Answer> {
  const key = `${readToken() ?? ''} ${path}`;
  const known = running.get(key);
  if (known !== undefined) return known;
  const answer = askOnce(path, options).finally(() => {
    if (running.get(key) === answer) running.delete(key);
  });
  running.set(key, answer);
  return answer;
}

async function askOnce(path: string, options: RequestOptions): Promise<Answer> {
  const early = await takeAhead(path);
  if (early === null || early === undefined) return ask(path, options);
  noticeAnswer();
  return early;
}

/** The answer to a request from before a change may not show the change. */
function forgetRunning(): void {
  running.clear();
  forgetAhead();
}

async function ask(path: string, options: RequestOptions): Promise<Answer> {
  const response = await send(path, options);
  if (response.status === 304) {
    // Chrome counts a request as running until its answer is read.
    await response.text().catch(() => '');
    noticeAnswer();
    return { response, body: null };
  }
  const body: unknown = await response.json().catch(() => {
    // The connection ended in the middle of the response.
    void checkLine();
    if (response.ok) throw new ApiError(0, '');
    return null;
  });
  if (body !== null) noticeAnswer();
  return { response, body };
}

// A response with an error code carries the code in `error` and the explanation in `message`.
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
