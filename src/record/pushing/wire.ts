// Writes audit rows as collectors read them. reference: Audit push
import * as z from 'zod';
import type { Config } from '../../config/config.ts';
import { parseJson } from '../../json/json.ts';
import { describeRow } from '../model/export.ts';
import type { AuditRow } from '../model/page.ts';

type Place = Exclude<NonNullable<Config['AUDIT_PUSH']>, { kind: 's3' | 'fs' }>;

export interface Wire {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Throws when the collector has left out a row although its status is a success. */
  check: (answer: string) => void;
}

const NDJSON = 'application/x-ndjson';
/** Elastic has a row with this id already: it was sent before. */
const IS_THERE = 409;

const BulkAnswer = z.object({
  errors: z.boolean(),
  items: z.array(z.record(z.string(), z.object({ status: z.int() }))).default([]),
});

export const toNdjson = (rows: readonly AuditRow[]): string =>
  rows.map((row) => `${JSON.stringify(describeRow(row))}\n`).join('');

export function toWire(
  place: Place,
  token: string | undefined,
  origin: string,
  rows: readonly AuditRow[],
): Wire {
  const authorized = (word: string): Record<string, string> =>
    token === undefined ? {} : { authorization: `${word} ${token}` };
  switch (place.kind) {
    case 'webhook':
      return {
        url: place.url,
        headers: { 'content-type': NDJSON, ...authorized('Bearer') },
        body: toNdjson(rows),
        check: () => {},
      };
    case 'splunk':
      return {
        url: place.url,
        headers: { 'content-type': 'application/json', ...authorized('Splunk') },
        body: rows.map((row) => JSON.stringify(toEvent(origin, row))).join('\n'),
        check: () => {},
      };
    case 'elastic':
      return {
        url: place.url,
        headers: { 'content-type': NDJSON, ...authorized('ApiKey') },
        body: rows.map((row) => toBulk(place.index, origin, row)).join(''),
        check: checkBulk,
      };
  }
}

const toEvent = (origin: string, row: AuditRow) => ({
  time: row.created_at,
  host: new URL(origin).host,
  source: 'tool-gateway',
  sourcetype: 'tool-gateway:audit',
  event: { origin, ...describeRow(row) },
});

/** `create` is what data streams take too. The id makes a repeat harmless. */
function toBulk(index: string, origin: string, row: AuditRow): string {
  const action = { create: { _index: index, _id: `${origin} ${row.id}` } };
  const { time, ...cells } = describeRow(row);
  return `${JSON.stringify(action)}\n${JSON.stringify({ '@timestamp': time, origin, ...cells })}\n`;
}

function checkBulk(answer: string): void {
  const parsed = BulkAnswer.safeParse(parseJson(answer));
  if (!parsed.success) throw new Error('The collector did not answer as Elastic does');
  const { errors, items } = parsed.data;
  if (!errors) return;
  const refused = items
    .flatMap((item) => Object.values(item))
    .filter(({ status }) => status >= 300 && status !== IS_THERE);
  const [first] = refused;
  if (first !== undefined)
    throw new Error(`The collector refused ${refused.length} rows, the first with status ${first.status}`);
}
