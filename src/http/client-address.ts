// Whose request this is, as far as the network knows: for limits, never for rights.
import type { Context } from 'hono';
import type { Config } from '../config/config.ts';
import { holderOf } from '../egress/addresses.ts';

/** What the Node adapter hands to the app beside the request. */
interface NodeBindings {
  incoming?: { url?: string; socket?: { remoteAddress?: string | undefined } };
}

const bindingsOf = (c: Context): NodeBindings => c.env ?? {};

/** The request target as it came, where the runtime still has it. */
export function rawTarget(c: Context): string | undefined {
  return bindingsOf(c).incoming?.url;
}

/** Behind a trusted proxy it is what that proxy wrote, the last entry; the others are the caller's own words. */
export function clientAddress(c: Context, { TRUST_PROXY }: Pick<Config, 'TRUST_PROXY'>): string {
  const forwarded = TRUST_PROXY ? c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined;
  return holderOf(forwarded ?? bindingsOf(c).incoming?.socket?.remoteAddress ?? 'unknown');
}
