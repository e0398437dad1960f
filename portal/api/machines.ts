// Lists, makes and ends the clients of machines and the trusted issuers, for administrators. reference: Machines
import type {
  BoundKey as ShownKey,
  MachineClientForm,
  MachineClientList,
  NewMachineClient,
  ShownMachineClient,
  ShownTrustedIssuer,
  ShownTrustedRule,
  TestedToken as Tested,
  TrustedChangeForm,
  TrustedIssuerForm,
  TrustedIssuerList,
} from '../../src/oauth/machines/operations.ts';
import { request } from './client.ts';

export type BoundKey = ShownKey;
export type MachineClient = ShownMachineClient;
/** The gateway shows the secret only in this answer. */
export type MadeMachineClient = NewMachineClient;
export type TrustedIssuer = ShownTrustedIssuer;
export type TrustedRule = ShownTrustedRule;
export type NewTrustedRule = TrustedIssuerForm['rules'][number];
export type TestedToken = Tested;

const CLIENTS = '/api/machine-clients';
const ISSUERS = '/api/trusted-issuers';
const at = (path: string, id: string) => `${path}/${encodeURIComponent(id)}`;

export const fetchMachineClients = async (): Promise<MachineClient[]> =>
  (await request<MachineClientList>(CLIENTS)).clients;

export const makeMachineClient = (body: MachineClientForm): Promise<MadeMachineClient> =>
  request(CLIENTS, { method: 'POST', body });

export const endMachineClient = (id: string): Promise<unknown> =>
  request(at(CLIENTS, id), { method: 'DELETE' });

export const fetchTrustedIssuers = async (): Promise<TrustedIssuer[]> =>
  (await request<TrustedIssuerList>(ISSUERS)).issuers;

export const trustIssuer = (body: TrustedIssuerForm): Promise<TrustedIssuer> =>
  request(ISSUERS, { method: 'POST', body });

export const changeTrustedIssuer = (id: string, body: TrustedChangeForm): Promise<TrustedIssuer> =>
  request(at(ISSUERS, id), { method: 'PATCH', body });

export const endTrustedIssuer = (id: string): Promise<unknown> =>
  request(at(ISSUERS, id), { method: 'DELETE' });

export const testToken = (token: string): Promise<TestedToken> =>
  request(`${ISSUERS}/test`, { method: 'POST', body: { token } });
