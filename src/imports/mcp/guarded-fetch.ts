// Makes the fetch of the MCP library out of the send of a call, and distrusts what the server answers.
import { EgressFailure } from '../../egress/failure.ts';
import { parseExactJson, whyNotToParse } from '../../json/exact.ts';
import { isTooDeep } from '../../json/json.ts';
import { pruneDeep } from '../../json/prune.ts';
import { isTooLarge } from '../model/cut-text.ts';
import type { UpstreamInit } from '../model/reach.ts';
import { decoderFor, kindOfType, mediaTypeOf, peek } from './answer-kind.ts';
import type { CallScope } from './call-scope.ts';
import { cutAnswer } from './cut-answer.ts';
import { InsufficientScope, McpFailure, Unauthorized } from './client.ts';
import { asOurs, explainOpening } from './failures.ts';
import { guardEvents, ODD_MESSAGES } from './guarded-events.ts';
import type { McpLibrary } from './library.ts';
import { readMessage } from './read-message.ts';
import { pause } from './pause.ts';

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Marks a request with the id of its JSON-RPC message. It is removed before the request is sent. */
export const MESSAGE_ID = 'x-gateway-message-id';

export interface Outgoing {
  method: string;
  headers: Headers;
  body: string | null;
}

export interface FetchRules {
  library: McpLibrary;
  /** The address of the server. Nothing is sent to another origin. */
  address: URL;
  /** Finds the call that a request belongs to. Null answers 405 without sending anything. */
  scopeOf: (request: Outgoing) => CallScope | null;
  /** How long the server may take for the whole answer. Otherwise it is what is left of the call. */
  timeoutFor?: (request: Outgoing) => number | undefined;
  /** Throws a refusal with its status, where the library would make a text of it. */
  throwsRefusals?: boolean;
  /** Told why a stream of events ends too early. */
  onStreamError: (error: unknown) => void;
  /** Told how much of a stream has arrived. */
  onBytes?: (count: number) => void;
  /** Told when the answer to a marked request is a stream of events. */
  onStream?: (messageId: string) => void;
}

/** The specification allows visible ASCII. No real server uses more than some hundred characters. */
const SESSION_ID = /^[\x21-\x7e]{1,1024}$/;
/** The library reads the text of a refusal, and shows none of it. */
const REFUSAL_CHARACTERS = 64 * 1024;
const EVENTS = 'text/event-stream';
const JSON_TYPE = 'application/json';
/** What a server says to a notification is read for so long, and not further than so many pieces. */
const REST_MS = 250;
const MAX_CHUNKS = 16;
/** A server that does not take the notice of a cancellation within this time is left alone. */
const NOTICE_MS = 5_000;

export function createGuardedFetch({
  library,
  address,
  scopeOf,
  timeoutFor,
  throwsRefusals = false,
  onStreamError,
  onBytes,
  onStream,
}: FetchRules): Fetch {
  return async function guardedFetch(target, init = {}) {
    const url = new URL(target);
    const method = (init.method ?? 'GET').toUpperCase();
    // The library makes new headers for each request.
    const headers = init.headers instanceof Headers ? init.headers : new Headers(init.headers);
    const messageId = headers.get(MESSAGE_ID);
    headers.delete(MESSAGE_ID);
    const request = { method, headers, body: typeof init.body === 'string' ? init.body : null };
    const scope = scopeOf(request);
    if (scope === null) return new Response(null, { status: 405 });
    const { host } = scope;
    if (url.origin !== address.origin) throw refuse(scope, `${host} names another server as its own address`);
    const signal = init.signal ?? undefined;
    const message = { method, headers: Object.fromEntries(headers), body: request.body };
    const sent = isCancellation(request.body)
      ? sendNotice(scope, url, message)
      : scope.send(url, {
          ...message,
          signal,
          // People read the limit in seconds.
          timeoutMs: timeoutFor?.(request) ?? Math.ceil(scope.timeLeft() / 1_000) * 1_000,
        });
    const response = await orAborted(sent, signal).catch((error: unknown) => {
      if (signal?.aborted === true) throw error;
      // The library would say only that the stream could not be opened.
      throw throwsRefusals && method === 'GET'
        ? failWith(scope, asOurs(explainOpening(error, host)))
        : asOurs(error);
    });
    try {
      if (response.url !== '' && new URL(response.url).origin !== address.origin)
        throw refuse(
          scope,
          `${host} redirects to ${new URL(response.url).host}. Use that address if you trust it`,
        );
      checkStatus(library, response, scope);
      const sessionId = response.headers.get('mcp-session-id');
      if (sessionId !== null && !SESSION_ID.test(sessionId))
        throw refuse(scope, `${host} names its session with characters that are not allowed`);
    } catch (error) {
      await response.body?.cancel().catch(() => {});
      throw error;
    }
    if (!response.ok) {
      const text = (await readText(response, signal)).slice(0, REFUSAL_CHARACTERS);
      if (throwsRefusals) {
        const refused = refusal(library, response, text);
        // The library waits for the stream although it was refused. A refused message may be sent again.
        throw method === 'GET' ? failWith(scope, refused) : refused;
      }
      return rebuild(response, isTooDeep(text) ? '' : text);
    }
    if (method === 'POST' && (messageId === null || throwsRefusals)) return takeNotice(response, scope);
    const isList = request.body !== null && isListing(request.body);
    const events = (body: ReadableStream<Uint8Array<ArrayBuffer>>): Response => {
      if (messageId !== null) onStream?.(messageId);
      return rebuild(
        response,
        guardEvents(body, {
          host,
          signal,
          onBytes,
          onError: onStreamError,
          onOdd: scope.note,
          messageId,
          isList,
        }),
        EVENTS,
      );
    };
    const { body } = response;
    const said = kindOfType(mediaTypeOf(response));
    if (method !== 'POST') {
      if (body !== null && (said === 'events' || mediaTypeOf(response) === '')) return events(body);
      // A page for people, or a description of the server, is no stream.
      await body?.cancel().catch(() => {});
      return new Response(null, { status: 405 });
    }
    if (body === null) return new Response(null, { status: 202 });
    if (said === 'events') return events(body);
    if (said === 'json') return readWhole(response, scope, signal, { messageId, isList });
    if (said === 'other') return response;
    const found = await peek(body);
    if (found.kind !== 'other') scope.note('it does not say what type its answers have');
    const whole = rebuild(response, found.body, mediaTypeOf(response));
    if (found.kind === 'events') return events(found.body);
    return found.kind === 'json' ? readWhole(whole, scope, signal, { messageId, isList }) : whole;
  };
}

/**
 * Nothing but its status says that a notification has arrived. The rest of the answer is read for a moment, because a
 * connection that is cut cannot be used again.
 */
function takeNotice(response: Response, scope: CallScope): Response {
  if (response.status !== 202) scope.note(`it answers a notification with status ${response.status}`);
  const { body } = response;
  if (body !== null) void dropRest(body.getReader()).catch(() => {});
  return new Response(null, { status: 202 });
}

async function dropRest(reader: ReadableStreamDefaultReader<unknown>): Promise<void> {
  const end = async (): Promise<void> => {
    for (let chunk = 0; chunk < MAX_CHUNKS; chunk++) if ((await reader.read()).done) return;
  };
  await Promise.race([end(), pause(REST_MS)]);
  await reader.cancel();
}

/** The notice is sent although its call is over, and nothing waits for it. */
function sendNotice({ reached, send }: CallScope, url: URL, message: UpstreamInit): Promise<Response> {
  return (reached.sendAfterwards ?? send)(url, { ...message, timeoutMs: NOTICE_MS });
}

/** The library writes the method at the beginning of a message, so that no argument of a call is taken for it. */
function isCancellation(body: string | null): boolean {
  return body?.startsWith('{"jsonrpc":"2.0","method":"notifications/cancelled"') === true;
}

/** No argument comes before the method, so that none is taken for it. */
const isListing = (body: string): boolean =>
  /^\{(?:"jsonrpc":"2\.0",|"id":\d+,)*"method":"tools\/list"/.test(body);

/** Whether opening the stream again would end in the same way. */
export function isFinal(error: unknown): error is Error {
  return error instanceof McpFailure || (error instanceof EgressFailure && error.reason === 'too-large');
}

/** Ends the call with an error that the library would wrap into its own words. */
function failWith<E extends Error>(scope: CallScope, error: E): E {
  scope.fail(error);
  return error;
}

const refuse = (scope: CallScope, message: string): McpFailure => failWith(scope, new McpFailure(message));

function refusal({ SdkHttpError, SdkErrorCode }: McpLibrary, { status }: Response, text: string): Error {
  return new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, `status ${status}`, { status, text });
}

function checkStatus(library: McpLibrary, response: Response, scope: CallScope): void {
  const { status, headers } = response;
  if (status === 401)
    throw failWith(
      scope,
      new Unauthorized(`${scope.host} wants you to sign in`, headers.get('www-authenticate')),
    );
  if (status !== 403) return;
  const challenge = library.extractWWWAuthenticateParams(response);
  if (challenge.error !== 'insufficient_scope') return;
  const scopes = [...new Set(challenge.scope?.split(' ').filter((name) => name !== ''))];
  const missing = scopes.length === 0 ? '' : `: ${scopes.join(', ')}`;
  throw failWith(
    scope,
    new InsufficientScope(`${scope.host} wants more permissions than you have granted${missing}`, scopes),
  );
}

/** The library asks for the value only, so the text is not kept. */
async function readWhole(
  response: Response,
  scope: CallScope,
  signal: AbortSignal | undefined,
  { messageId, isList }: { messageId: string | null; isList: boolean },
): Promise<Response> {
  const read = await readText(response, signal, (begun, error) =>
    messageId === null ? null : cutAnswer(begun, messageId, error),
  );
  if (typeof read !== 'string') return asJson(response, read);
  const text = isList ? pruneDeep(read) : read;
  // The library takes it for a message without an answer.
  if (text.trim() === '') return new Response(null, { status: 202 });
  const { value, isOdd } = readMessage(parseMessage(text, scope.host));
  if (isOdd) scope.note(ODD_MESSAGES);
  return asJson(response, value);
}

function asJson(response: Response, value: unknown): Response {
  const isJson = response.status === 200 && mediaTypeOf(response) === JSON_TYPE;
  const shown = isJson
    ? response
    : new Response(null, { headers: rebuild(response, null, JSON_TYPE).headers });
  return Object.defineProperty(shown, 'json', { value: async () => value });
}

function parseMessage(text: string, host: string): unknown {
  const why = whyNotToParse(text);
  if (why !== undefined) throw new McpFailure(`The answer of ${host} ${why}`);
  try {
    return parseExactJson(text);
  } catch (cause) {
    throw new McpFailure(`The answer of ${host} is not valid JSON`, { cause });
  }
}

function rebuild({ status, headers: given }: Response, body: BodyInit | null, type?: string): Response {
  const headers = new Headers(given);
  if (type !== undefined && type !== '') headers.set('content-type', type);
  return new Response(body, { status, headers });
}

/** `onTooLarge` may return what is used in place of a text that is too long. */
async function readText<Used extends object = never>(
  response: Response,
  signal: AbortSignal | undefined,
  onTooLarge: (begun: string, error: EgressFailure) => Used | null = () => null,
): Promise<string | Used> {
  const { body } = response;
  if (body === null) return '';
  const reader = body.getReader();
  const stop = () => void reader.cancel(signal?.reason).catch(() => {});
  if (signal?.aborted === true) stop();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    const decoder = decoderFor(response);
    let text = '';
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        const used = isTooLarge(error) ? onTooLarge(text, error) : null;
        if (used === null) throw error;
        return { done: true, value: used } as const;
      });
      if (value !== undefined && !(value instanceof Uint8Array)) return value;
      signal?.throwIfAborted();
      if (done) return text + decoder.decode();
      text += decoder.decode(value, { stream: true });
    }
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

/** A `send` that does not know the signal is not waited for. Its answer is thrown away when it comes. */
async function orAborted(sent: Promise<Response>, signal: AbortSignal | undefined): Promise<Response> {
  if (signal === undefined) return sent;
  const aborted = Promise.withResolvers<never>();
  const stop = () => {
    aborted.reject(signal.reason);
    void sent.then((late) => late.body?.cancel()).catch(() => {});
  };
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([sent, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
