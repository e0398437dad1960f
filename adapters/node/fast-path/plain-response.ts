// Writes the response to a plain POST request straight to its socket.
import { EventEmitter } from 'node:events';
import { STATUS_CODES, validateHeaderName, validateHeaderValue } from 'node:http';
import type { Socket } from 'node:net';
import { REQUEST_ID_HEADER } from '../../../src/http/observe.ts';
import type { PlainPost } from './parse-post.ts';
import { MAX_INLINE_BYTES, toLatin1 } from './inline-body.ts';

/** The connection that a response goes out on. */
export interface Connection {
  socket: Socket;
  /** The headers that every head ends with. */
  commonHeaders(): string;
  /** Called when the response is complete, so that the next request may be read. */
  done(): void;
}

const NO_BYTES = Buffer.alloc(0);
const BODILESS = new Set([204, 304]);

/** The part of Node's `ServerResponse` that the framework's listener uses. */
export class PlainResponse extends EventEmitter {
  headersSent = false;
  writableFinished = false;
  readonly #connection: Connection;
  readonly #request: Pick<PlainPost, 'rawBody' | 'requestId'>;
  /** The head, or an empty text once the head is sent. */
  #head = '';
  #hasBody = true;
  #isChunked = false;
  /** The bytes of the body, where they are announced. A text of as many characters has only ASCII. */
  #length: number | null = null;

  constructor(connection: Connection, request: Pick<PlainPost, 'rawBody' | 'requestId'>) {
    super();
    this.#request = request;
    this.#connection = connection;
  }

  get writable(): boolean {
    return !this.writableFinished && this.#connection.socket.writable;
  }

  get destroyed(): boolean {
    return this.#connection.socket.destroyed;
  }

  writeHead(status: number, headers: Record<string, string | number | string[]> = {}): void {
    // Frees the request's body: a stream may stay open for minutes after its head.
    this.#request.rawBody = NO_BYTES;
    let lines = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`;
    for (const [name, values] of Object.entries(headers)) {
      validateHeaderName(name);
      if (name.toLowerCase() === 'content-length') this.#length = Number(values);
      for (const value of Array.isArray(values) ? values : [String(values)]) {
        validateHeaderValue(name, value);
        lines += `${name}: ${value}\r\n`;
      }
    }
    lines += `${REQUEST_ID_HEADER}: ${this.#request.requestId}\r\n`;
    this.#hasBody = !BODILESS.has(status);
    this.#isChunked = this.#hasBody && this.#length === null;
    const coding = this.#isChunked ? 'Transfer-Encoding: chunked\r\n' : '';
    this.#head = `${lines}${this.#connection.commonHeaders()}${coding}\r\n`;
    this.headersSent = true;
  }

  flushHeaders(): void {
    if (this.#head === '') return;
    this.#connection.socket.write(this.#head, 'latin1');
    this.#head = '';
  }

  write(piece: Uint8Array): boolean {
    const { socket } = this.#connection;
    if (!this.#hasBody || piece.length === 0) return true;
    socket.cork();
    this.flushHeaders();
    if (this.#isChunked) socket.write(`${piece.length.toString(16)}\r\n`, 'latin1');
    socket.write(piece);
    if (this.#isChunked) socket.write('\r\n', 'latin1');
    socket.uncork();
    return !socket.writableNeedDrain;
  }

  end(body?: string | Uint8Array): void {
    if (this.writableFinished) return;
    const { socket } = this.#connection;
    if (body === undefined || !this.#hasBody) this.flushHeaders();
    else if (this.#isChunked) this.write(Buffer.from(body));
    else if (typeof body === 'string' && body.length === this.#length && body.length <= MAX_INLINE_BYTES)
      this.#send(body);
    else this.#endWith(typeof body === 'string' ? Buffer.from(body) : body);
    if (this.#isChunked) socket.write('0\r\n\r\n', 'latin1');
    this.writableFinished = true;
    this.#connection.done();
  }

  destroy(): void {
    this.#connection.socket.destroy();
  }

  #endWith(body: Uint8Array): void {
    if (body.length > MAX_INLINE_BYTES) return void this.write(body);
    this.#send(toLatin1(body));
  }

  /** Sends Latin-1 text with the head, in one write. */
  #send(text: string): void {
    this.#connection.socket.write(this.#head + text, 'latin1');
    this.#head = '';
  }
}
