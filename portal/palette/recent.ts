// Remembers in this browser what the person has chosen in the palette.
import type { Entry } from './entry.ts';

const KEY = 'svc_recent';
const MAX_RECENT = 5;

export function rememberRecent({ id }: Entry): void {
  localStorage.setItem(
    KEY,
    JSON.stringify([id, ...readIds().filter((each) => each !== id)].slice(0, MAX_RECENT)),
  );
}

/** The entries that were chosen last and still exist, newest first. */
export function recentOf(entries: readonly Entry[]): Entry[] {
  return readIds().flatMap((id) => {
    const entry = entries.find((each) => each.id === id);
    return entry === undefined ? [] : [{ ...entry, id: `recent ${id}`, group: 'recent' as const }];
  });
}

function readIds(): string[] {
  const text = localStorage.getItem(KEY) ?? '[]';
  try {
    const kept: unknown = JSON.parse(text);
    return Array.isArray(kept) ? kept.filter((each) => typeof each === 'string') : [];
  } catch {
    return [];
  }
}
