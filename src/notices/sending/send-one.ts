// Sends what a delivery carries to where its destination is.
import type { Config } from '../../config/config.ts';
import type { Egress } from '../../egress/door.ts';
import type { DeliveryRecord } from '../../ports/outbox.ts';
import type { Ports } from '../../ports/ports.ts';
import { GIVE_UP_SECONDS } from '../model/limits.ts';
import type { Address } from '../model/address.ts';
import type { Payload } from '../model/payload.ts';
import { describeNotice } from '../model/texts.ts';
import { sendPush } from './push.ts';
import type { ReadPushKeys } from './push-keys.ts';
import type { Attempt } from './sent.ts';
import { sendSlack } from './slack.ts';
import { sendWebhook } from './webhook.ts';

type Needs = Pick<Ports, 'clock' | 'digest' | 'random'> & {
  config: Pick<Config, 'SERVER_PUBLIC_URL' | 'MAIL_FROM'>;
  egress: Pick<Egress, 'fetch'>;
  pushKeys: ReadPushKeys;
};

const TOPIC_CHARACTERS = 32;
const UNFIT: Attempt = {
  kind: 'failed',
  status: null,
  error: 'this kind of address takes no events',
  isDestination: false,
  isFinal: true,
};

export async function sendOne(
  deps: Needs,
  { id }: Pick<DeliveryRecord, 'id'>,
  address: Exclude<Address, { channel: 'email' }>,
  payload: Payload,
): Promise<Attempt> {
  const { clock, digest, egress, pushKeys } = deps;
  const now = clock.now();
  if (address.channel === 'webhook') {
    const { url, secret } = address;
    return sendWebhook(egress, { url, secret, id, now, body: JSON.stringify(bodyOf(payload)) });
  }
  if (!('notice' in payload)) return UNFIT;
  const { notice } = payload;
  const told = describeNotice(notice);
  if (address.channel === 'slack') return sendSlack(egress, address.url, told, notice.url);
  const message = {
    topic: digest.sha256(id).slice(0, TOPIC_CHARACTERS),
    isUrgent: notice.kind === 'approval',
    ttl: notice.until === null ? GIVE_UP_SECONDS : Math.max(1, notice.until - now),
    data: { title: told.title, body: told.text, url: notice.url },
  };
  return sendPush(deps, await pushKeys(), address, message, now);
}

function bodyOf(payload: Payload): object {
  if ('event' in payload) {
    const { type, at, data } = payload.event;
    return { type, timestamp: toIso(at), data };
  }
  const { notice } = payload;
  const { kind, url, at } = notice;
  return { type: `notice.${kind}`, timestamp: toIso(at), data: { kind, ...describeNotice(notice), url } };
}

const toIso = (at: number): string => new Date(at * 1_000).toISOString();
