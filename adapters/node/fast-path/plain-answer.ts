// The answer to a plain call, written straight to its socket: what the framework's listener asks of Node's own response.
import { EventEmitter } from 'node:events';
import { STATUS_CODES, validateHeaderName, validateHeaderValue } from 'node:http';
import type { Socket } from 'node:net';
import type { PlainCall } from './parse-post.ts';
import { latin1Of, SMALL_BODY } from './inline-body.ts';

/** The connection that an answer goes out on. */
export interface Line {
  socket: Socket;
  /** Its date, and what becomes of the connection: the last lines of every head. */
  lastLines(): string;
  /** It is over, and the next request may be read. */
  done(): void;
}

const READ = Buffer.alloc(0);
const BODILESS = new Set([204, 304]);

export class PlainAnswer extends EventEmitter {
  headersSent = false;
  writableFinished = false;
  readonly #line: Line;
  readonly #call: Pick<PlainCall, 'rawBody'>;
  /** What has not been sent yet. */
  #head = '';
  #hasBody = true;
  #isChunked = false;

  constructor(line: Line, call: Pick<PlainCall, 'rawBody'>) {
    super();
    this.#call = call;
    this.#line = line;
  }

  get writable(): boolean {
    return !this.writableFinished && this.#line.socket.writable;
  }

  get destroyed(): boolean {
    return this.#line.socket.destroyed;
  }

  writeHead(status: number, headers: Record<string, string | number | string[]> = {}): void {
    // A wait of minutes does not hold what was sent along.
    this.#call.rawBody = READ;
    let lines = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`;
    let isMeasured = false;
    for (const [name, values] of Object.entries(headers)) {
      validateHeaderName(name);
      if (name.toLowerCase() === 'content-length') isMeasured = true;
      for (const value of Array.isArray(values) ? values : [String(values)]) {
        validateHeaderValue(name, value);
        lines += `${name}: ${value}\r\n`;
      }
    }
    this.#hasBody = !BODILESS.has(status);
    this.#isChunked = this.#hasBody && !isMeasured;
    this.#head = `${lines}${this.#line.lastLines()}${this.#isChunked ? 'Transfer-Encoding: chunked\r\n' : ''}\r\n`;
    this.headersSent = true;
  }

  flushHeaders(): void {
    if (this.#head === '') return;
    this.#line.socket.write(this.#head, 'latin1');
    this.#head = '';
  }

  write(piece: Uint8Array): boolean {
    const { socket } = this.#line;
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
    const { socket } = this.#line;
    if (body === undefined || !this.#hasBody) this.flushHeaders();
    else if (this.#isChunked) this.write(Buffer.from(body));
    else this.#endWith(typeof body === 'string' ? Buffer.from(body) : body);
    if (this.#isChunked) socket.write('0\r\n\r\n', 'latin1');
    this.writableFinished = true;
    this.#line.done();
  }

  destroy(): void {
    this.#line.socket.destroy();
  }

  #endWith(body: Uint8Array): void {
    if (body.length > SMALL_BODY) return void this.write(body);
    this.#line.socket.write(this.#head + latin1Of(body), 'latin1');
    this.#head = '';
  }
}
