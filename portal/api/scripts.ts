// Lists, saves, shares and reviews scripts, and shows their runs. reference: Scripts
import type {
  DetailedRun,
  DetailedScript,
  Ran,
  RunList,
  ScriptForm,
  ScriptList,
  ShownReview,
  ShownRun,
  ShownRunCall,
  ShownScript,
} from '../../src/scripts/operations.ts';
import { request } from './client.ts';

export type { DetailedRun, DetailedScript, ScriptList, ShownReview, ShownRun, ShownRunCall, ShownScript };

/** A script of the team may have the name of an own one. */
type Named = Pick<ShownScript, 'name' | 'for'>;

const pathOf = (name: string): string => `/api/scripts/${encodeURIComponent(name)}`;
const pathOfRun = (id: string): string => `/api/script-runs/${encodeURIComponent(id)}`;

export function fetchScripts(): Promise<ScriptList> {
  return request('/api/scripts');
}

export function fetchScript(name: string, whose: string | null): Promise<DetailedScript> {
  return request(whose === null ? pathOf(name) : `${pathOf(name)}?for=${encodeURIComponent(whose)}`);
}

export function saveScript(body: ScriptForm): Promise<ShownScript> {
  return request('/api/scripts', { method: 'POST', body });
}

export function deleteScript({ name, for: whose }: Named): Promise<unknown> {
  return request(`${pathOf(name)}?for=${whose}`, { method: 'DELETE' });
}

export function shareScript(name: string): Promise<ShownScript> {
  return request(`${pathOf(name)}/share`, { method: 'POST' });
}

export function reviewScript(id: string, accept: boolean): Promise<unknown> {
  return request(`/api/script-reviews/${encodeURIComponent(id)}`, { method: 'POST', body: { accept } });
}

export async function fetchRuns(): Promise<ShownRun[]> {
  return (await request<RunList>('/api/script-runs')).runs;
}

export function fetchRun(id: string): Promise<DetailedRun> {
  return request(pathOfRun(id));
}

export function runAgain(id: string): Promise<Ran> {
  return request(`${pathOfRun(id)}/again`, { method: 'POST' });
}
