// Reads and changes the people of the gateway, and what the signed-in person may do here. reference: Administration of people
import type {
  ChangeForm,
  InvitationForm,
  Limit,
  Me,
  MyChangeForm,
  PeoplePage,
  Person,
  PersonInFull,
} from '../../src/people/operations.ts';
import { request, send, toApiError } from './client.ts';

export type Myself = Me;
export type UsedLimit = Limit;
export type { PeoplePage, Person, PersonInFull };
export type Role = Person['role'];
export const ROLES = ['owner', 'administrator', 'member'] as const satisfies readonly Role[];

const PEOPLE = '/api/admin/people';
const pathOf = (id: string) => `${PEOPLE}/${encodeURIComponent(id)}`;

export function fetchMyself(): Promise<Myself> {
  return request('/api/me');
}

export function changeMyself(change: MyChangeForm): Promise<Myself> {
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
  return request(PEOPLE, { method: 'POST', body: { email, role } satisfies InvitationForm });
}

export function fetchPerson(id: string): Promise<PersonInFull> {
  return request(pathOf(id));
}

export function changePerson(id: string, change: ChangeForm): Promise<Person> {
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
