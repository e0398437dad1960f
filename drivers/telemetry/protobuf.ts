// Encodes a message in its JSON form as protobuf, by a table of its fields. Protocol Buffers, Encoding
type Kind =
  | 'string'
  /** Hex digits in JSON. */
  | 'hex'
  | 'enum'
  | 'bool'
  | 'double'
  | 'fixed32'
  /** A decimal text in JSON. */
  | 'fixed64'
  | 'int64';

type Field = readonly [number: number, kind: Kind | (() => Message)];

/** The fields of a message by their names in JSON. A list in JSON is a repeated field. */
export type Message = Readonly<Record<string, Field>>;

const VARINT = 0;
const I64 = 1;
const LEN = 2;
const I32 = 5;

export function encodeMessage(message: Message, value: object): Uint8Array<ArrayBuffer> {
  const out: number[] = [];
  write(out, message, value);
  return Uint8Array.from(out);
}

function write(out: number[], message: Message, value: object): void {
  for (const [name, member] of Object.entries(value)) {
    const field = message[name];
    if (field === undefined) throw new TypeError(`the message has no field ${name}`);
    if (Array.isArray(member)) writeList(out, field, member);
    else writeField(out, field, member);
  }
}

function writeList(out: number[], [number, kind]: Field, members: readonly unknown[]): void {
  // Repeated numbers are packed.
  if (kind === 'fixed64' || kind === 'double') {
    const packed: number[] = [];
    for (const member of members) writeEight(packed, kind, member);
    writeBytes(out, number, packed);
  } else for (const member of members) writeField(out, [number, kind], member);
}

function writeField(out: number[], [number, kind]: Field, value: unknown): void {
  switch (kind) {
    case 'string':
      return writeBytes(out, number, new TextEncoder().encode(String(value)));
    case 'hex':
      return writeBytes(
        out,
        number,
        (String(value).match(/../g) ?? []).map((digits) => Number.parseInt(digits, 16)),
      );
    case 'enum':
    case 'bool':
    case 'int64':
      writeTag(out, number, VARINT);
      return writeVarint(out, BigInt(Number(value)));
    case 'fixed32': {
      writeTag(out, number, I32);
      const bytes = new DataView(new ArrayBuffer(4));
      bytes.setUint32(0, Number(value), true);
      return void out.push(...new Uint8Array(bytes.buffer));
    }
    case 'double':
    case 'fixed64':
      writeTag(out, number, I64);
      return writeEight(out, kind, value);
    default: {
      const inner: number[] = [];
      write(inner, kind(), Object(value));
      return writeBytes(out, number, inner);
    }
  }
}

function writeEight(out: number[], kind: 'double' | 'fixed64', value: unknown): void {
  const bytes = new DataView(new ArrayBuffer(8));
  if (kind === 'double') bytes.setFloat64(0, Number(value), true);
  else bytes.setBigUint64(0, BigInt(String(value)), true);
  out.push(...new Uint8Array(bytes.buffer));
}

function writeBytes(out: number[], number: number, bytes: ArrayLike<number>): void {
  writeTag(out, number, LEN);
  writeVarint(out, BigInt(bytes.length));
  for (let at = 0; at < bytes.length; at++) out.push(bytes[at] ?? 0);
}

function writeTag(out: number[], number: number, wireType: number): void {
  writeVarint(out, BigInt((number << 3) | wireType));
}

function writeVarint(out: number[], value: bigint): void {
  let rest = BigInt.asUintN(64, value);
  while (rest > 0x7fn) {
    out.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  out.push(Number(rest));
}
