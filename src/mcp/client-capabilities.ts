// Reads what a client says of itself: with each request in the era of 2026-07-28, and once, in `initialize`, in the older one.
import { isObject } from '../json/json.ts';

export const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';

/** The capabilities that a request of the newer era carries. */
export const capabilitiesIn = ({ _meta: meta }: Record<string, unknown>): unknown =>
  isObject(meta) ? meta[CAPABILITIES_KEY] : undefined;

/** The settings of an extension that the client declares. Undefined for one that it does not declare. */
export function extensionIn(capabilities: unknown, name: string): Record<string, unknown> | undefined {
  const extensions = isObject(capabilities) ? capabilities['extensions'] : undefined;
  const settings = isObject(extensions) ? extensions[name] : undefined;
  return isObject(settings) ? settings : undefined;
}
