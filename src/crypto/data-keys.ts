// Opens the data key that a key elsewhere wraps. The store keeps it wrapped, and the process keeps it in memory. decision: 072
import type { OutsideKey } from '../config/config-fields.ts';
import { DriverFailure } from '../ports/driver-failure.ts';
import type { KeyService } from '../ports/key-service.ts';
import type { Store } from '../ports/store.ts';
import { toHex } from './encoding.ts';

const KEY_BYTES = 32;

interface Needs {
  store: Pick<Store, 'dataKeys'>;
  service: KeyService;
}

/** The wrapped keys by the source that the configuration names. */
type WrappedKeys = Readonly<Record<string, string>>;

/** Only this file writes the text. */
const readKeys = (text: string | null): WrappedKeys =>
  text === null ? {} : (JSON.parse(text) as WrappedKeys);

/** Returns the data key in hexadecimal. The first process that asks makes it, and all others read that one. */
export async function openDataKey({ source }: OutsideKey, { store, service }: Needs): Promise<string> {
  for (;;) {
    const seen = await store.dataKeys.read();
    const keys = readKeys(seen);
    const wrapped = keys[source];
    if (wrapped !== undefined) return toKey(await service.unwrap(wrapped), source);
    const made = await service.create();
    const key = toKey(made.key, source);
    if (await store.dataKeys.swap(seen, JSON.stringify({ ...keys, [source]: made.wrapped }))) return key;
  }
}

/** Wraps the data key again, so that the older versions of the key elsewhere are needed no more. */
export async function renewDataKey({ source }: OutsideKey, { store, service }: Needs): Promise<void> {
  for (;;) {
    const seen = await store.dataKeys.read();
    const keys = readKeys(seen);
    const wrapped = keys[source];
    if (wrapped === undefined) return;
    const next = { ...keys, [source]: await service.rewrap(wrapped) };
    if (await store.dataKeys.swap(seen, JSON.stringify(next))) return;
  }
}

function toKey(bytes: Uint8Array, source: string): string {
  if (bytes.length === KEY_BYTES) return toHex(bytes);
  throw new DriverFailure(`[keys] ${source} gave a key of ${bytes.length * 8} bits, not of 256`);
}
