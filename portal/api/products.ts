// Makes, changes and ends service keys, and looks at their actors, for administrators. reference: Service keys
import type {
  ActorConnections,
  ActorLinkPage as LinkPage,
  ActorPage as Actors,
  ActorUsage as Usage,
  ChangedServiceKey,
  NewServiceKey,
  ServiceKeyForm,
  ServiceKeyList,
  ServiceKeyPatch,
  ShownServiceKey,
} from '../../src/actors/operations.ts';
import { request } from './client.ts';

export type Product = ShownServiceKey;
export type ProductList = ServiceKeyList;
/** The gateway shows the key and the secret only in this answer. */
export type MadeProduct = NewServiceKey;
export type ProductForm = ServiceKeyForm;
export type ActorPage = Actors;
export type ActorConnection = ActorConnections['connections'][number];
export type ActorUsage = Usage;
export type ActorLinkPage = LinkPage;

const ALL = '/api/service-keys';
const pathOf = (id: string): string => `${ALL}/${encodeURIComponent(id)}`;
const pathOfActor = (id: string, externalId: string): string =>
  `${pathOf(id)}/actors/${encodeURIComponent(externalId)}`;
const asked = (query: { cursor?: string | undefined; query?: string }): string => {
  const set = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return set.length === 0 ? '' : `?${new URLSearchParams(set)}`;
};

export const fetchProducts = (): Promise<ProductList> => request(ALL);

export const fetchProduct = (id: string): Promise<Product> => request(pathOf(id));

export const makeProduct = (body: ProductForm): Promise<MadeProduct> =>
  request(ALL, { method: 'POST', body });

export const changeProduct = (id: string, body: ServiceKeyPatch): Promise<ChangedServiceKey> =>
  request(pathOf(id), { method: 'PATCH', body });

export const drawServiceKey = (id: string): Promise<{ key: string }> =>
  request(`${pathOf(id)}/key`, { method: 'POST' });

/** Without actors the product is gone, with them its key is revoked. */
export const revokeServiceKey = (id: string): Promise<unknown> => request(pathOf(id), { method: 'DELETE' });

export const eraseProduct = (id: string): Promise<unknown> =>
  request(`${pathOf(id)}?erase=true`, { method: 'DELETE' });

export const fetchActors = (id: string, query: string, cursor?: string): Promise<ActorPage> =>
  request(`${pathOf(id)}/actors${asked({ query, cursor })}`);

export const fetchActorConnections = async (id: string, externalId: string): Promise<ActorConnection[]> =>
  (await request<ActorConnections>(`${pathOfActor(id, externalId)}/connections`)).connections;

export const fetchActorUsage = (id: string, externalId: string): Promise<ActorUsage> =>
  request(`${pathOfActor(id, externalId)}/usage?days=30`);

export const eraseActor = (id: string, externalId: string): Promise<unknown> =>
  request(pathOfActor(id, externalId), { method: 'DELETE' });

export const fetchActorLinks = (id: string, cursor?: string): Promise<ActorLinkPage> =>
  request(`${pathOf(id)}/links${asked({ cursor })}`);
