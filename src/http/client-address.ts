// Reads what an adapter passes with a request, such as the network address of the caller. Use the address for limits, never
// for permissions.
import type { Context } from 'hono';
import type { Config } from '../config/config.ts';
import { holderOf } from '../egress/addresses.ts';

/** What the Node adapter passes to the app with each request. */
interface NodeBindings {
  incoming?: {
    url?: string;
    socket?: { remoteAddress?: string | undefined };
    /** The adapter has named the request, and answers the id itself. */
    requestId?: string;
  };
}

const bindingsOf = (c: Context): NodeBindings => c.env ?? {};

/** Returns the raw request target, where the runtime still has it. */
export function rawTarget(c: Context): string | undefined {
  return bindingsOf(c).incoming?.url;
}

/** Returns the id of the request, where the adapter has named it. The adapter then answers it. */
export function adapterRequestId(c: Context): string | undefined {
  return bindingsOf(c).incoming?.requestId;
}

/** Behind a trusted proxy this is the last forwarded entry: the proxy wrote it. The caller can write the others. */
export function clientAddress(c: Context, { TRUST_PROXY }: Pick<Config, 'TRUST_PROXY'>): string {
  return holderOf(findAddress(c, TRUST_PROXY) ?? 'unknown');
}

/** False where the runtime does not tell who calls. */
export const isAddressKnown = (c: Context, { TRUST_PROXY }: Pick<Config, 'TRUST_PROXY'>): boolean =>
  findAddress(c, TRUST_PROXY) !== undefined;

function findAddress(c: Context, trustProxy: boolean): string | undefined {
  const forwarded = trustProxy ? c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined;
  return forwarded ?? bindingsOf(c).incoming?.socket?.remoteAddress;
}
