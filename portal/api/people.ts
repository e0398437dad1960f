// Reads and changes the people of the gateway, and what the signed-in person may do here. reference: Administration of people
import { request, send, toApiError } from './client.ts';

export const ROLES = ['owner', 'administrator', 'member'] as const;
export type Role = (typeof ROLES)[number];

export interface UsedLimit {
  name:
    | 'calls'
    | 'callsPerMinute'
    | 'pending'
    | 'results'
    | 'files'
    | 'fileBytes'
    | 'jots'
    | 'jotBytes'
    | 'keys';
  /** Null where the gateway cannot know. */
  used: number | null;
  /** Null where nothing is limited. */
  limit: number | null;
}

/** Times are Unix seconds. */
export interface Myself {
  id: string;
  email: string;
  role: Role;
  createdAt: number;
  limits: UsedLimit[];
  /** Whether the details of calls are kept; `disabled` by the operator. */
  callDetails: 'kept' | 'off' | 'disabled';
  /** What an owner should know about the settings of the gateway. */
  notices?: string[];
}

/** Times are Unix seconds. */
export interface Person {
  id: string;
  email: string;
  role: Role;
  status: 'active' | 'invited' | 'disabled' | 'deleting';
  createdAt: number;
  signedInAt?: number;
  calledAt?: number;
  /** Nobody has verified the address. */
  unverified?: true;
  connections: number;
  agents: number;
  keys: number;
}

export interface PersonInFull extends Person {
  accounts: {
    integration: string;
    label?: string;
    status: 'ok' | 'reconnect' | 'unreachable' | 'unverified';
  }[];
  clients: { id: string; name: string | null }[];
  namedKeys: { name: string; lastUsedAt?: number }[];
  limits: UsedLimit[];
}

export interface PeoplePage {
  people: Person[];
  nextCursor?: string;
}

const PEOPLE = '/api/admin/people';
const pathOf = (id: string) => `${PEOPLE}/${encodeURIComponent(id)}`;

export function fetchMyself(): Promise<Myself> {
  return request('/api/me');
}

export function changeMyself(change: { callDetails: 'kept' | 'off' }): Promise<Myself> {
  return request('/api/me', { method: 'PATCH', body: change });
}

export function exportMyself(): Promise<string> {
  return fetchText('/api/me/export');
}

export function deleteMyself(email: string): Promise<unknown> {
  return request('/api/me', { method: 'DELETE', body: { email } });
}

export function fetchPeople(query: string, cursor = ''): Promise<PeoplePage> {
  const given = Object.entries({ query, cursor }).filter(([, value]) => value !== '');
  return request(`${PEOPLE}?${new URLSearchParams(given).toString()}`);
}

export function invitePerson(email: string, role: Role): Promise<Person> {
  return request(PEOPLE, { method: 'POST', body: { email, role } });
}

export function fetchPerson(id: string): Promise<PersonInFull> {
  return request(pathOf(id));
}

export function changePerson(id: string, change: { role?: Role; disabled?: boolean }): Promise<Person> {
  return request(pathOf(id), { method: 'PATCH', body: change });
}

export function exportPerson(id: string): Promise<string> {
  return fetchText(`${pathOf(id)}/export`);
}

export function deletePerson(id: string): Promise<unknown> {
  return request(pathOf(id), { method: 'DELETE' });
}

/** Returns the export as the gateway wrote it: reading and writing its JSON again could change numbers. */
async function fetchText(path: string): Promise<string> {
  const response = await send(path);
  const text = await response.text().catch(() => {
    // The connection ended in the middle of the response.
    throw toApiError(0, null);
  });
  if (!response.ok) throw toApiError(response.status, readJson(text));
  return text;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
