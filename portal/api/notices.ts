// Reads and changes what the person is told outside the portal, and where.
import type {
  ChannelForm,
  ChannelPatch,
  DeliveryPage,
  NewChannel,
  NoticesOverview,
  SettingsForm,
  ShownChannel,
  ShownDelivery,
} from '../../src/notices/operations.ts';
import { request } from './client.ts';

export type NoticeChannel = ShownChannel;
/** The gateway shows the secret only in this answer. */
export type MadeChannel = NewChannel;
export type NewChannelForm = ChannelForm;
export type Delivery = ShownDelivery;
export type Deliveries = DeliveryPage;
export type Notices = NoticesOverview;
export type NoticeKind = ShownChannel['kinds'][number];
export type QuietHours = SettingsForm['quietHours'];

const ALL = '/api/notices';
const CHANNELS = '/api/notices/channels';
const at = (id: string) => `${CHANNELS}/${encodeURIComponent(id)}`;

export const fetchNotices = (): Promise<Notices> => request(ALL);

export const chooseQuietHours = (quietHours: QuietHours): Promise<unknown> =>
  request(ALL, { method: 'PATCH', body: { quietHours } });

export const addChannel = (body: ChannelForm): Promise<MadeChannel> =>
  request(CHANNELS, { method: 'POST', body });

export const changeChannel = (id: string, body: ChannelPatch): Promise<NoticeChannel> =>
  request(at(id), { method: 'PATCH', body });

export const deleteChannel = (id: string): Promise<unknown> => request(at(id), { method: 'DELETE' });

export const testChannel = (id: string): Promise<Delivery> => request(`${at(id)}/test`, { method: 'POST' });

export const fetchDeliveries = (cursor?: string): Promise<Deliveries> =>
  request(`/api/notices/deliveries${cursor === undefined ? '' : `?cursor=${encodeURIComponent(cursor)}`}`);

export const sendAgain = (id: string): Promise<Delivery> =>
  request(`/api/notices/deliveries/${encodeURIComponent(id)}/send-again`, { method: 'POST' });
