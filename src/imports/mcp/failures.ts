// Says in sentences for people why a server could not be used. No sentence holds a credential or a stack.
import { sentenceFor } from '../../egress/door.ts';
import { EgressFailure } from '../../egress/failure.ts';
import { isObject } from '../../json/json.ts';
import { truncate } from '../../json/truncate.ts';
import { DriverFailure } from '../../ports/driver-failure.ts';
import { Busy, Unavailable } from '../../ports/unavailable.ts';
import { ofReading, SourceFailure, toSourceFailure } from '../model/source-failure.ts';
import { Cancelled, TimeOver } from './call-scope.ts';
import { InsufficientScope, isAboutAccess, McpFailure, Unauthorized } from './client.ts';
import type { McpLibrary } from './library.ts';

/** The server refused the request with a status, before it did anything. */
export function statusOf(library: McpLibrary, error: unknown): number | undefined {
  if (library.SdkHttpError.isInstance(error)) return error.data.status;
  return error instanceof Error && error.cause !== undefined ? statusOf(library, error.cause) : undefined;
}

/** The code of the error that a request gets when no answer to it can be used. The message is ours. */
export const LOST = -32_097;
const METHOD_NOT_FOUND = -32_601;
/** The server does not speak the revision of the request. */
export const UNSUPPORTED_VERSION = -32_022;
const SESSION_WORDS = /session|not initialized/i;

/** Whether the server says that it does not know the session, so that the request has not run. */
export function isUnknownSession(library: McpLibrary, error: unknown): boolean {
  if (library.ProtocolError.isInstance(error)) return error.code === UNSUPPORTED_VERSION;
  const status = statusOf(library, error);
  if (status === 404) return true;
  return status === 400 && SESSION_WORDS.test(wordsOf(library, error));
}

/**
 * Whether the server refuses a request of the newer era as one that knows only the older one: nothing has run. A server of
 * the newer era refuses a request with an error of JSON-RPC that has the id of the request.
 */
export function isOfOtherEra(library: McpLibrary, error: unknown): boolean {
  const status = statusOf(library, error);
  return isUnknownSession(library, error) || status === 400 || status === 405 || status === 406;
}

/** While a session is opened, no call has been sent: a connection that ends has the same meaning as none. */
export function explainOpening(error: unknown, host: string): unknown {
  return isLost(error)
    ? new EgressFailure('unreachable', sentenceFor('unreachable', host), { cause: error })
    : error;
}

/** The same for a local server, whose sentence says more. */
export function explainStarting(error: unknown): unknown {
  return error instanceof McpFailure
    ? new EgressFailure('unreachable', error.message, { cause: error })
    : error;
}

/** The library wraps what a transport throws. */
const isLost = (error: unknown): boolean =>
  error instanceof EgressFailure
    ? error.reason === 'lost'
    : error instanceof Error && error.cause !== undefined && isLost(error.cause);

export const isUnknownMethod = (library: McpLibrary, error: unknown): boolean =>
  library.ProtocolError.isInstance(error) && error.code === METHOD_NOT_FOUND;

/** Returns the error that the caller of a tool sees. */
export function explain(library: McpLibrary, error: unknown, host: string): Error {
  if (isOurs(error)) return error;
  const { SdkErrorCode } = library;
  if (library.ProtocolError.isInstance(error)) {
    if (error.code === LOST) return new McpFailure(error.message);
    const words = clean(error.message);
    return new McpFailure(
      words === '' ? `${host} refused the request` : `${host} refused the request: ${words}`,
    );
  }
  if (library.SdkHttpError.isInstance(error)) {
    const words = wordsOf(library, error);
    const { status } = error.data;
    return new McpFailure(`${host} answered with status ${status}${words === '' ? '' : `: ${words}`}`);
  }
  if (library.SdkError.isInstance(error)) {
    // The library wraps what a transport throws while the versions are negotiated.
    if (error.cause instanceof Error) return explain(library, error.cause, host);
    switch (error.code) {
      case SdkErrorCode.RequestTimeout:
        return new TimeOver(
          `${host} did not answer within ${secondsOf(error.data)} seconds. The call may have run`,
        );
      case SdkErrorCode.ConnectionClosed:
        return new McpFailure(`${host} closed the connection before it answered. The call may have run`);
      case SdkErrorCode.UnsupportedResultType:
        return new McpFailure(
          `${host} asks for input in the middle of a call, which the gateway does not pass on`,
        );
      default:
        return new McpFailure(`${host} does not answer as an MCP server does`, { cause: error });
    }
  }
  return new McpFailure(`${host} does not answer as an MCP server does`, { cause: error });
}

const secondsOf = (data: unknown): number =>
  isObject(data) && typeof data['timeout'] === 'number' ? Math.round(data['timeout'] / 1_000) : 0;

/** Returns the error that the importer sees. */
export function explainToImporter(library: McpLibrary, thrown: unknown, host: string): unknown {
  const error = explain(library, thrown, host);
  if (isAboutAccess(error) || error instanceof SourceFailure) return error;
  if (error instanceof TimeOver) return new SourceFailure(504, ofReading(error.message), { cause: error });
  if (error instanceof Busy) return new SourceFailure(503, error.message, { cause: error });
  if (error instanceof EgressFailure) return toSourceFailure(error);
  return new SourceFailure(502, ofReading(error.message), { cause: error });
}

/** What the gateway's own code throws while it sends: its message is for people, too. */
export function asOurs(error: unknown): Error {
  if (isOurs(error)) return error;
  return new McpFailure(error instanceof Error ? error.message : String(error), { cause: error });
}

const OURS = [
  Unauthorized,
  InsufficientScope,
  McpFailure,
  EgressFailure,
  SourceFailure,
  Cancelled,
  TimeOver,
  Unavailable,
  DriverFailure,
];

/** Whether the gateway wrote the message itself. */
function isOurs(error: unknown): error is Error {
  return OURS.some((kind) => error instanceof kind);
}

/** Removes what nobody sees: control characters, and marks that change the direction of text. */
export function clean(text: string): string {
  return truncate(text.replaceAll(/[^\P{C}\n\t]/gu, '').trim());
}

/** What the server says in the body of a refusal, if it is a JSON-RPC or an OAuth error. */
function wordsOf(library: McpLibrary, error: unknown): string {
  if (!library.SdkHttpError.isInstance(error)) return '';
  const { text } = error.data;
  if (typeof text !== 'string') return '';
  try {
    const body: unknown = JSON.parse(text);
    const said = isObject(body)
      ? isObject(body['error'])
        ? body['error']['message']
        : body['error']
      : undefined;
    return typeof said === 'string' ? clean(said) : '';
  } catch {
    return '';
  }
}
