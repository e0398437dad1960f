// Serves /api/notices: channels, what they tell, and what was sent. reference: Notices
import { type Context, Hono } from 'hono';
import { loadUser, type PortalEnv, requirePortalUser } from '../auth/portal-user.ts';
import { createReadRole } from '../auth/role.ts';
import type { Config } from '../config/config.ts';
import type { Seal } from '../crypto/seal.ts';
import type { Egress } from '../egress/door.ts';
import { HttpError } from '../http/errors.ts';
import type { Success } from '../http/operation.ts';
import { portalPage } from '../http/portal-page.ts';
import type { Identify } from '../kit/actor.ts';
import { NOTICE_KINDS } from '../kit/notice.ts';
import { readForm } from '../kit/read-form.ts';
import { validQuery } from '../kit/valid-query.ts';
import type { DestinationRecord } from '../ports/outbox.ts';
import type { Ports } from '../ports/ports.ts';
import { OWNER_EMAIL, type User } from '../ports/records.ts';
import {
  CHANNELS_PER_PERSON,
  DELIVERIES_PAGE,
  DELIVERY_KEPT_SECONDS,
  GIVE_UP_SECONDS,
  TESTS_PER_HOUR,
} from './model/limits.ts';
import type { Address } from './model/address.ts';
import { writeMuted } from './model/off-link.ts';
import { newDestination, whyNot } from './outbox.ts';
import type { Queue } from './queue.ts';
import {
  ChannelForm,
  ChannelPatch,
  DeliveriesQuery,
  type DeliveryPage,
  type NewChannel,
  type NoticesOverview,
  SettingsForm,
  type ShownChannel,
  type ShownDelivery,
} from './operations.ts';
import { isPushKey } from './sending/push.ts';
import type { ReadPushKeys } from './sending/push-keys.ts';
import type { OutboxSender } from './sending/outbox-sender.ts';
import { newSecret } from './sending/webhook.ts';
import { minutesOf, showDelivery, showQuietHours } from './show.ts';
import { createShowChannel } from './show-channel.ts';

type Needs = Pick<Ports, 'clock' | 'random' | 'store'> & {
  config: Config;
  egress: Egress;
  identify: Identify;
  outboxSender: OutboxSender;
  pushKeys: ReadPushKeys;
  queue: Queue;
  seal: Seal;
};

const ALL = '/api/notices';
const CHANNELS = '/api/notices/channels';
const CHANNEL = '/api/notices/channels/:id';
const HOUR = 3_600;
const AUTH_BYTES = 16;

export function createNoticeRoutes(deps: Needs): Hono<PortalEnv> {
  const { clock, config, egress, identify, outboxSender, pushKeys, queue, random, seal, store } = deps;
  const { deliveries, destinations, settings } = store.outbox;
  const person = requirePortalUser(identify);
  const signedIn = requirePortalUser(identify, { only: 'sessions' });
  const showChannel = createShowChannel({ seal });
  const app = new Hono<PortalEnv>();

  const mailAddressOf = ({ email, unverified_since }: User): string | null =>
    email === OWNER_EMAIL || unverified_since !== null ? null : email;

  async function requireChannel(c: Context<PortalEnv>): Promise<DestinationRecord> {
    const found = await destinations.get(c.var.userId, c.req.param('id') ?? '');
    if (found === null) throw new HttpError(404, { error: 'You have no such channel' });
    return found;
  }

  async function requireAllowed(url: string): Promise<void> {
    const message = await whyNot(egress, url);
    if (message !== null) throw new HttpError(400, { error: `url: ${message}` });
  }

  async function addressFrom(form: ReturnType<typeof ChannelForm.parse>, user: User): Promise<Address> {
    switch (form.channel) {
      case 'webhook':
        await requireAllowed(form.url);
        return { channel: 'webhook', url: form.url, secret: newSecret(random) };
      case 'slack':
        await requireAllowed(form.url);
        return { channel: 'slack', url: form.url };
      case 'push': {
        const { url, p256dh, auth } = form;
        await requireAllowed(url);
        if (!(await isPushKey(p256dh)) || Math.floor((auth.length * 3) / 4) !== AUTH_BYTES)
          throw new HttpError(400, { error: 'p256dh, auth: they are not those of a subscription' });
        return { channel: 'push', url, p256dh, auth };
      }
      case 'email':
        return { channel: 'email', address: mailTarget(form.address, user) };
    }
  }

  /** Nobody makes the gateway write to somebody else. */
  function mailTarget(address: string | undefined, user: User): string | null {
    if (config.SMTP_URL === undefined)
      throw new HttpError(409, {
        error: 'This gateway sends no mail. The operator sets SMTP_URL and MAIL_FROM',
      });
    if (user.email === OWNER_EMAIL && createReadRole(false)(user) === 'owner') {
      if (address === undefined) throw new HttpError(400, { error: 'address: enter your e-mail address' });
      return address;
    }
    if (address !== undefined && address !== user.email)
      throw new HttpError(400, { error: 'address: mails go to the address with which you sign in' });
    if (mailAddressOf(user) === null)
      throw new HttpError(409, {
        error: 'Nobody has verified your e-mail address. Sign in with a provider that does',
      });
    return null;
  }

  app.get(ALL, person, async (c) => {
    const user = await loadUser(c, deps);
    const [own, chosen, { publicKey }] = await Promise.all([
      destinations.list(user.id),
      settings.get(user.id),
      pushKeys(),
    ]);
    return c.json({
      channels: await Promise.all(own.map((each) => showChannel(each, user.email))),
      quietHours: showQuietHours(chosen),
      kinds: [...NOTICE_KINDS],
      mail: config.SMTP_URL === undefined ? null : { address: mailAddressOf(user) },
      pushKey: publicKey,
    } satisfies NoticesOverview);
  });

  app.patch(ALL, signedIn, async (c) => {
    const { quietHours: hours } = await readForm(c, SettingsForm);
    await settings.put({
      user_id: c.var.userId,
      quiet_from: hours && minutesOf(hours.from),
      quiet_to: hours && minutesOf(hours.to),
      time_zone: hours?.timeZone ?? 'UTC',
    });
    return c.json({ success: true } satisfies Success);
  });

  app.post(CHANNELS, signedIn, async (c) => {
    const form = await readForm(c, ChannelForm);
    const user = await loadUser(c, deps);
    const address = await addressFrom(form, user);
    const { name, kinds = NOTICE_KINDS } = form;
    const muted = writeMuted(NOTICE_KINDS.filter((kind) => !kinds.includes(kind)));
    const record = await newDestination(deps, user.id, { purpose: 'notices', name, muted }, address);
    if (!(await destinations.add(record, CHANNELS_PER_PERSON)))
      throw new HttpError(409, { error: `You have ${CHANNELS_PER_PERSON} channels. Delete one first` });
    const shown = await showChannel(record, user.email);
    const secret = address.channel === 'webhook' ? { secret: address.secret } : {};
    return c.json({ ...shown, ...secret } satisfies NewChannel, 201);
  });

  app.patch(CHANNEL, signedIn, async (c) => {
    const { name, kinds, disabled } = await readForm(c, ChannelPatch);
    const { id, user_id: userId, ...before } = await requireChannel(c);
    const muted =
      kinds === undefined ? before.muted : writeMuted(NOTICE_KINDS.filter((kind) => !kinds.includes(kind)));
    await destinations.change(userId, id, { name: name ?? before.name, muted });
    if (disabled === false && before.disabled_at !== null) await destinations.enable(userId, id);
    const { email } = await loadUser(c, deps);
    return c.json((await showChannel(await requireChannel(c), email)) satisfies ShownChannel);
  });

  app.delete(CHANNEL, signedIn, async (c) => {
    const { id, user_id: userId } = await requireChannel(c);
    await destinations.delete(userId, id);
    return c.json({ success: true } satisfies Success);
  });

  app.post(`${CHANNEL}/test`, signedIn, async (c) => {
    const destination = await requireChannel(c);
    const { userId } = c.var;
    const now = clock.now();
    if ((await deliveries.countSince(userId, 'test', now - HOUR)) >= TESTS_PER_HOUR)
      throw new HttpError(
        429,
        { error: `There were ${TESTS_PER_HOUR} tests in an hour. Try again later` },
        { 'Retry-After': '600' },
      );
    const test = random.uuid();
    const notice = {
      kind: 'test' as const,
      name: destination.name,
      by: null,
      url: portalPage(config, '/settings/notices'),
      at: now,
      until: null,
    };
    const sent = await queue.add(destination, {
      userId,
      id: `test ${test}`,
      kind: 'test',
      about: `test ${test}`,
      payload: destination.purpose === 'events' ? { event: { type: 'test', at: now, data: {} } } : { notice },
    });
    if (sent !== 'queued') throw refusal(destination);
    const [made] = await deliveries.list({ userId, destination: destination.id, limit: 1 });
    if (made === undefined) throw refusal(destination);
    return c.json(showDelivery(made) satisfies ShownDelivery, 202);
  });

  app.get('/api/notices/deliveries', person, validQuery(DeliveriesQuery), async (c) => {
    const { channel, cursor } = c.req.valid('query');
    const [at = '', id = ''] = cursor?.split('.') ?? [];
    const rows = await deliveries.list({
      userId: c.var.userId,
      destination: channel,
      before: cursor === undefined ? undefined : { created_at: Number(at), id },
      limit: DELIVERIES_PAGE + 1,
    });
    const shown = rows.slice(0, DELIVERIES_PAGE);
    const last = shown.at(-1);
    const isMore = rows.length > DELIVERIES_PAGE && last !== undefined;
    return c.json({
      deliveries: shown.map(showDelivery),
      ...(isMore ? { nextCursor: `${last.created_at}.${last.id}` } : {}),
    } satisfies DeliveryPage);
  });

  app.post('/api/notices/deliveries/:id/send-again', signedIn, async (c) => {
    const { userId } = c.var;
    const id = c.req.param('id');
    const found = await deliveries.get(userId, id);
    if (found === null) throw new HttpError(404, { error: 'You have no such delivery' });
    const destination = found.destination === '' ? null : await destinations.get(userId, found.destination);
    if (destination !== null && destination.disabled_at !== null) throw refusal(destination);
    const now = clock.now();
    const due = { now, giveUpAt: now + GIVE_UP_SECONDS, expiresAt: now + DELIVERY_KEPT_SECONDS };
    if (!(await deliveries.again(userId, id, due)))
      throw new HttpError(409, { error: 'It waits to be sent already' });
    outboxSender.wake(now);
    return c.json(showDelivery((await deliveries.get(userId, id)) ?? found) satisfies ShownDelivery, 202);
  });

  return app;
}

const refusal = ({ disabled_at }: DestinationRecord): HttpError =>
  new HttpError(409, {
    error:
      disabled_at === null
        ? 'Too many deliveries wait for you. Try again when some are sent'
        : 'The channel is disabled. Enable it first',
  });
