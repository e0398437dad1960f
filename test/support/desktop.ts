// A desktop that shows notifications: a session bus of its own with the notification service of freedesktop.org, which keeps
// what programs show and clicks it when a test says so. Only these few messages of D-Bus are spoken.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { userInfo } from 'node:os';

const NAME = 'org.freedesktop.Notifications';
const OBJECT = '/org/freedesktop/Notifications';
const BUS = 'org.freedesktop.DBus';
const [CALL, RETURN, SIGNAL] = [1, 2, 4];
const [FIELD_PATH, FIELD_INTERFACE, FIELD_MEMBER, FIELD_REPLY, FIELD_TO, FIELD_FROM, FIELD_SIGNATURE] = [
  1, 2, 3, 5, 6, 7, 8,
];

export interface Shown {
  id: number;
  title: string;
  body: string;
}

export interface Desktop {
  /** The address for a program whose notifications it shows. */
  bus: string;
  shown: Shown[];
  /** As a person clicks it. */
  click(shown: Shown): void;
  close(): Promise<void>;
}

export const hasDesktop = (): boolean => spawnSync('dbus-daemon', ['--version']).error === undefined;

export async function openDesktop(): Promise<Desktop> {
  const daemon = spawn('dbus-daemon', ['--session', '--print-address=1', '--nofork', '--nopidfile'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [said] = await once(daemon.stdout.setEncoding('utf8'), 'data');
  const bus = String(said).trim();
  const socket = await connect(bus);
  const shown: Shown[] = [];
  let serial = 0;
  const send = (kind: number, fields: Buffer[], body: Buffer = Buffer.alloc(0)) =>
    socket.write(messageOf(kind, ++serial, fields, body));
  const ask = (member: string, signature: string, body: Buffer) =>
    send(
      CALL,
      [
        field(FIELD_PATH, 'o', '/org/freedesktop/DBus'),
        field(FIELD_INTERFACE, 's', BUS),
        field(FIELD_MEMBER, 's', member),
        field(FIELD_TO, 's', BUS),
        ...(signature === '' ? [] : [field(FIELD_SIGNATURE, 'g', signature)]),
      ],
      body,
    );
  const signal = (member: string, signature: string, body: Buffer) =>
    send(
      SIGNAL,
      [
        field(FIELD_PATH, 'o', OBJECT),
        field(FIELD_INTERFACE, 's', NAME),
        field(FIELD_MEMBER, 's', member),
        field(FIELD_SIGNATURE, 'g', signature),
      ],
      body,
    );

  function answer({ fields, serial: asked, body }: Received): void {
    const reply = (signature: string, value: Buffer) =>
      send(
        RETURN,
        [
          field(FIELD_REPLY, 'u', asked),
          field(FIELD_TO, 's', String(fields.get(FIELD_FROM))),
          ...(signature === '' ? [] : [field(FIELD_SIGNATURE, 'g', signature)]),
        ],
        value,
      );
    switch (fields.get(FIELD_MEMBER)) {
      case 'GetCapabilities':
        return void reply('as', packed(...['actions', 'body'].map((each) => ['s', each] as const)));
      case 'GetServerInformation':
        return void reply('ssss', joined(['s', 'test'], ['s', 'test'], ['s', '1'], ['s', '1.2']));
      case 'Notify': {
        // The name of the program, the one that is replaced, the icon, the title and the body.
        const [, replaced = 0, , title = '', text = ''] = read(body, 'susss');
        const id = Number(replaced) || shown.length + 1;
        shown.push({ id, title: String(title), body: String(text) });
        return void reply('u', joined(['u', id]));
      }
      case 'CloseNotification':
        reply('', Buffer.alloc(0));
        return void signal('NotificationClosed', 'uu', joined(['u', Number(read(body, 'u')[0])], ['u', 3]));
    }
  }

  let waiting = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    waiting = Buffer.concat([waiting, chunk]);
    for (let next = take(waiting); next !== null; next = take(waiting)) {
      waiting = waiting.subarray(next.length);
      if (next.kind === CALL) answer(next);
    }
  });
  ask('Hello', '', Buffer.alloc(0));
  ask('RequestName', 'su', joined(['s', NAME], ['u', 0]));
  return {
    bus,
    shown,
    click: ({ id }) => void signal('ActionInvoked', 'us', joined(['u', id], ['s', 'default'])),
    close: () => end(daemon, socket),
  };
}

async function connect(bus: string): Promise<Socket> {
  const path = /unix:path=([^,;]+)/.exec(bus)?.[1];
  const name = /unix:abstract=([^,;]+)/.exec(bus)?.[1];
  const socket = createConnection(path ?? `\0${name}`);
  await once(socket, 'connect');
  const user = Buffer.from(String(userInfo().uid)).toString('hex');
  socket.write(`\0AUTH EXTERNAL ${user}\r\n`);
  await once(socket, 'data');
  socket.write('BEGIN\r\n');
  return socket;
}

async function end(daemon: ChildProcess, socket: Socket): Promise<void> {
  socket.destroy();
  const exited = once(daemon, 'exit');
  daemon.kill();
  await exited;
}

type Value = readonly ['s' | 'o' | 'g', string] | readonly ['u', number];

const pad = (length: number, to: number): number => (to - (length % to)) % to;

/** Values one after the other, each at its boundary. */
function joined(...values: Value[]): Buffer {
  return values.reduce((before, [kind, value]) => {
    const at = kind === 'g' ? 1 : 4;
    const space = Buffer.alloc(pad(before.length, at));
    if (kind === 'u') {
      const number = Buffer.alloc(4);
      number.writeUInt32LE(value);
      return Buffer.concat([before, space, number]);
    }
    const text = Buffer.from(value);
    const size = kind === 'g' ? Buffer.from([text.length]) : joined(['u', text.length]);
    return Buffer.concat([before, space, size, text, Buffer.alloc(1)]);
  }, Buffer.alloc(0));
}

function packed(...values: Value[]): Buffer {
  const content = joined(...values);
  return Buffer.concat([joined(['u', content.length]), content]);
}

/** A field of a header begins at a boundary of eight bytes, and its value at one of four. */
function field(code: number, kind: 's' | 'o' | 'g', value: string): Buffer;
function field(code: number, kind: 'u', value: number): Buffer;
function field(code: number, kind: 's' | 'o' | 'g' | 'u', value: string | number): Buffer {
  const head = Buffer.concat([Buffer.from([code]), joined(['g', kind])]);
  const content =
    typeof value === 'number' ? joined(['u', value]) : joined([kind === 'u' ? 's' : kind, value]);
  return Buffer.concat([head, content]);
}

function messageOf(kind: number, serial: number, fields: Buffer[], body: Buffer): Buffer {
  const content = fields.reduce(
    (before, each) => Buffer.concat([before, Buffer.alloc(pad(before.length, 8)), each]),
    Buffer.alloc(0),
  );
  const start = Buffer.concat([
    Buffer.from(['l'.charCodeAt(0), kind, 0, 1]),
    joined(['u', body.length], ['u', serial], ['u', content.length]),
  ]);
  return Buffer.concat([start, content, Buffer.alloc(pad(content.length, 8)), body]);
}

interface Received {
  kind: number;
  serial: number;
  fields: Map<number, string | number>;
  body: Buffer;
  length: number;
}

/** Null until the whole message is there. */
function take(from: Buffer): Received | null {
  if (from.length < 16) return null;
  const [bodyLength, serial, size] = [from.readUInt32LE(4), from.readUInt32LE(8), from.readUInt32LE(12)];
  const start = 16 + size + pad(size, 8);
  const length = start + bodyLength;
  if (from.length < length) return null;
  const fields = new Map<number, string | number>();
  for (let at = 16; at < 16 + size;) {
    at += pad(at, 8);
    const code = from[at] ?? 0;
    const kind = String.fromCharCode(from[at + 2] ?? 0);
    const [[value = ''], next] = readFrom(from, at + 4, kind);
    fields.set(code, value);
    at = next;
  }
  return { kind: from[1] ?? 0, serial, fields, body: from.subarray(start, length), length };
}

const read = (from: Buffer, kinds: string): (string | number)[] => readFrom(from, 0, kinds)[0];

function readFrom(from: Buffer, start: number, kinds: string): [(string | number)[], number] {
  const values: (string | number)[] = [];
  let at = start;
  for (const kind of kinds) {
    if (kind !== 'g') at += pad(at, 4);
    const size = kind === 'g' ? (from[at] ?? 0) : from.readUInt32LE(at);
    at += kind === 'g' ? 1 : 4;
    if (kind === 'u') values.push(size);
    else {
      values.push(from.toString('utf8', at, at + size));
      at += size + 1;
    }
  }
  return [values, at];
}
