// Finds the kept files in a tool's result. reference: Files
import { type KeptFile, pathOf } from '../../api/files.ts';
import { member, parse } from './read-json.ts';

type Shown = Pick<KeptFile, 'handle' | 'name' | 'mimeType' | 'bytes'> & { path: string };

const HANDLE = /^f-[0-9a-z]+-[0-9a-z]+-[0-9a-f]{32}$/;

/** Each file once. The links stay on this gateway, because a provider may have written what looks like a file. */
export function filesIn(text: string): Shown[] {
  const found = new Map<string, Shown>();
  const values = text.includes('"handle"') ? [parse(text)] : [];
  // The list grows while it is read.
  for (const value of values) {
    if (typeof value !== 'object' || value === null) continue;
    const file = readFile(member(value, 'file'));
    if (file !== null && !found.has(file.handle)) found.set(file.handle, file);
    for (const inner of Object.values(value)) values.push(inner);
  }
  return [...found.values()];
}

function readFile(value: unknown): Shown | null {
  const [handle, name, mimeType, url] = ['handle', 'name', 'mimeType', 'url'].map((each) => {
    const text = member(value, each);
    return typeof text === 'string' ? text : '';
  });
  const bytes = member(value, 'bytes');
  if (!handle || !name || mimeType === undefined || !url || typeof bytes !== 'number') return null;
  const path = pathOf(url);
  return HANDLE.test(handle) && path.startsWith(`/f/${handle}?k=`)
    ? { handle, name, mimeType, bytes, path }
    : null;
}
