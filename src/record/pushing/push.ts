// Sends the rows of sealed segments to the collector of AUDIT_PUSH, in order. A segment goes out at least once: a repeat has the
// same ids of rows. reference: Audit push
import type { Egress } from '../../egress/door.ts';
import { describe } from '../../http/errors.ts';
import { createBackOff } from '../model/back-off.ts';
import { withLease } from '../../memory/with-lease.ts';
import type { AuditSegment } from '../../ports/audit-segments.ts';
import type { Blobs } from '../../ports/blobs.ts';
import type { Ports } from '../../ports/ports.ts';
import {
  AUDIT_PUSH_LEASE_SECONDS,
  AUDIT_PUSH_SEGMENTS_PER_ROUND,
  AUDIT_PUSH_TIMEOUT_MS,
} from '../model/limits.ts';
import type { AuditRow } from '../model/page.ts';
import type { AuditPushState } from './operations.ts';
import { toNdjson, toWire } from './wire.ts';

const MAX_ANSWER_BYTES = 2 * 1024 * 1024;
/** Puts blobs in the order of their rows. */
const NUMBER_DIGITS = 12;
/** A text of a collector says what it refuses, and may be long. */
const ERROR_CHARACTERS = 300;

const encoder = new TextEncoder();

type Needs = Pick<Ports, 'clock' | 'config' | 'digest' | 'log' | 'random' | 'store'> & {
  egress: Egress;
  /** The bucket or folder of AUDIT_PUSH. */
  auditPush?: Blobs | undefined;
};

export interface AuditPusher {
  push(stop?: AbortSignal): Promise<void>;
  /** Null where no collector is set. */
  state(): Promise<AuditPushState | null>;
}

export function createAuditPusher(deps: Needs): AuditPusher {
  const { auditPush, clock, config, digest, egress, log } = deps;
  const { audit, auditPushes, auditSegments } = deps.store;
  const { AUDIT_PUSH: place, AUDIT_PUSH_TOKEN: token, SERVER_PUBLIC_URL: origin } = config;
  // The address may have a secret in it.
  const key = place === undefined ? '' : digest.sha256(JSON.stringify(place));
  const backOff = createBackOff();

  async function rowsOf({ first, last, rows }: AuditSegment): Promise<AuditRow[]> {
    const found = await audit.list({ user_id: null, before: last + 1, limit: rows });
    return found.filter(({ id }) => id >= first).toReversed();
  }

  async function send(segment: AuditSegment): Promise<void> {
    const rows = await rowsOf(segment);
    // Rows that are older than AUDIT_KEEP_DAYS are deleted, sent or not.
    if (rows.length === 0 || place === undefined) return;
    if (place.kind === 's3' || place.kind === 'fs') {
      if (auditPush === undefined) throw new Error('A Worker can send rows to an address only');
      const number = String(segment.segment).padStart(NUMBER_DIGITS, '0');
      await auditPush.put(`audit-rows/${number}.ndjson`, encoder.encode(toNdjson(rows)));
      return;
    }
    const { url, headers, body, check } = toWire(place, token, origin, rows);
    const response = await egress.fetch(url, {
      method: 'POST',
      headers,
      body,
      redirects: 'manual',
      timeoutMs: AUDIT_PUSH_TIMEOUT_MS,
      maxBytes: MAX_ANSWER_BYTES,
    });
    const answer = await response.text();
    if (!response.ok) throw new Error(`The collector answered with status ${response.status}`);
    check(answer);
  }

  async function pushSegments(stop: AbortSignal | undefined): Promise<void> {
    const after = (await auditPushes.get(key))?.segment ?? 0;
    for (const segment of await auditSegments.page(after, AUDIT_PUSH_SEGMENTS_PER_ROUND)) {
      if (stop?.aborted === true) return;
      await send(segment);
      await auditPushes.taken(key, segment.segment, clock.now());
    }
  }

  return {
    async push(stop) {
      if (place === undefined) return;
      if (backOff.skips()) return;
      try {
        await withLease(deps, 'audit push', AUDIT_PUSH_LEASE_SECONDS, () => pushSegments(stop));
        backOff.succeeded();
      } catch (error) {
        backOff.failed();
        log.write('warn', 'audit rows could not be sent, and are sent again', describe(error));
        const said = error instanceof Error ? error.message : 'unknown error';
        await auditPushes.failed(key, said.slice(0, ERROR_CHARACTERS), clock.now());
      }
    },
    async state() {
      if (place === undefined) return null;
      const found = await auditPushes.get(key);
      const { segment: last = 0, pushed_at: pushedAt = null, failed_at: failedAt = null } = found ?? {};
      const [newest, [oldest]] = await Promise.all([auditSegments.newest(), auditSegments.page(last, 1)]);
      return {
        kind: place.kind,
        segments: (newest?.segment ?? 0) - last,
        lagSeconds: oldest === undefined ? 0 : Math.max(0, clock.now() - oldest.sealed),
        ...(pushedAt === null ? {} : { pushedAt }),
        ...(failedAt === null ? {} : { failedAt, error: found?.error ?? '' }),
      };
    },
  };
}
