// Keys that are not for the site: the way out, and what acts on the browser around it, theirs or ours.
import type { Key } from './keyboard.ts';

export type Shortcut = 'leave' | 'reload' | 'back' | 'forward' | 'paste' | 'own' | 'compose';

/** Null where the key is the site's. */
export function shortcutOf(key: Key & { isComposing: boolean }): Shortcut | null {
  if (isComposed(key)) return 'compose';
  const { key: name, altKey, ctrlKey, metaKey, shiftKey, isMac } = key;
  const main = isMac ? metaKey : ctrlKey && !key.altGraph;
  if (name === 'F6' || (name === 'Escape' && shiftKey)) return 'leave';
  if (name === 'F5' || (main && name.toLowerCase() === 'r')) return 'reload';
  if ((main && name.toLowerCase() === 'v') || (shiftKey && name === 'Insert')) return 'paste';
  if (altKey && !isMac && name === 'ArrowLeft') return 'back';
  if (altKey && !isMac && name === 'ArrowRight') return 'forward';
  // Zoom, full screen, the developer's tools, and what no page can catch anyway.
  const own =
    /^F1[12]$/.test(name) || (main && (/^[-+=0twnq]$/i.test(name) || (shiftKey && /^[ij]$/i.test(name))));
  return own ? 'own' : null;
}

// An input method or a dead key is at work: what comes of it arrives as text. 229: UI Events §7.3.1
function isComposed({
  isComposing,
  keyCode,
  key,
}: {
  isComposing: boolean;
  keyCode: number;
  key: string;
}): boolean {
  return isComposing || keyCode === 229 || key === 'Dead' || key === 'Process' || key === 'Unidentified';
}
