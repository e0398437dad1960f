// Writes the heads of sealed segments to the log and, where AUDIT_HEADS says so, to a bucket or a webhook. Each head goes out
// at least once, in order; its number tells a receiver about a repeat. decision: 039
import {
  AUDIT_DELIVERY_LEASE_SECONDS,
  AUDIT_HEADS_PER_ROUND,
  AUDIT_HEADS_TIMEOUT_MS,
} from '../model/limits.ts';
import type { Egress } from '../../egress/door.ts';
import { describe } from '../../http/errors.ts';
import { canonicalJson } from '../../json/canonical.ts';
import { createBackOff } from '../model/back-off.ts';
import { withLease } from '../../memory/with-lease.ts';
import type { Blobs } from '../../ports/blobs.ts';
import { SEALED_EVENT } from '../../ports/log.ts';
import type { Ports } from '../../ports/ports.ts';
import { type SignedHead, signedHead } from './head.ts';

/** Puts blobs of heads in the order of their numbers. */
const NUMBER_DIGITS = 12;
const MAX_ANSWER_BYTES = 64 * 1024;

const encoder = new TextEncoder();

type Needs = Pick<Ports, 'clock' | 'config' | 'log' | 'random' | 'store'> & {
  egress: Egress;
  /** The bucket or folder of AUDIT_HEADS. */
  auditHeads?: Blobs | undefined;
};

export function createDelivery(deps: Needs): () => Promise<void> {
  const { auditHeads, clock, config, egress, log } = deps;
  const segments = deps.store.auditSegments;
  const place = config.AUDIT_HEADS;
  /** The heads that wait for their receiver and are in the log. */
  const logged = new Set<number>();
  const backOff = createBackOff();

  async function send(head: SignedHead): Promise<void> {
    const body = canonicalJson(head);
    if (place?.kind === 'webhook') return post(place.url, body);
    if (auditHeads === undefined) throw new Error('A Worker can send heads to a webhook only');
    const number = String(head.segment).padStart(NUMBER_DIGITS, '0');
    await auditHeads.put(`audit-heads/${number}.json`, encoder.encode(body));
  }

  async function post(url: string, body: string): Promise<void> {
    const response = await egress.fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      redirects: 'manual',
      timeoutMs: AUDIT_HEADS_TIMEOUT_MS,
      maxBytes: MAX_ANSWER_BYTES,
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`The receiver of AUDIT_HEADS answered with status ${response.status}`);
  }

  async function deliver(): Promise<void> {
    const waiting = (await segments.undelivered(AUDIT_HEADS_PER_ROUND)).map(signedHead);
    for (const head of waiting) {
      if (!logged.has(head.segment)) log.write('info', SEALED_EVENT, { ...head });
      logged.add(head.segment);
    }
    for (const head of waiting) {
      if (place !== undefined) await send(head);
      await segments.markDelivered(head.segment, clock.now());
      logged.delete(head.segment);
    }
  }

  return async function deliverHeads() {
    if (backOff.skips()) return;
    if ((await segments.undelivered(1)).length === 0) return;
    try {
      await withLease(deps, 'audit heads', AUDIT_DELIVERY_LEASE_SECONDS, deliver);
      backOff.succeeded();
    } catch (error) {
      backOff.failed();
      log.write('warn', 'audit heads could not be sent, and are sent again', describe(error));
    }
  };
}
