// Recognises keys that are not for the site: leaving the view, and shortcuts of the remote or the local browser.
import type { Key } from './keyboard.ts';

export type Shortcut = 'leave' | 'reload' | 'back' | 'forward' | 'paste' | 'own' | 'compose';

/** Returns null for a key that goes to the site. */
export function shortcutOf(key: Key & { isComposing: boolean }): Shortcut | null {
  if (isComposed(key)) return 'compose';
  const { key: name, altKey, ctrlKey, metaKey, shiftKey, isMac } = key;
  const main = isMac ? metaKey : ctrlKey && !key.altGraph;
  if (name === 'F6' || (name === 'Escape' && shiftKey)) return 'leave';
  if (name === 'F5' || (main && name.toLowerCase() === 'r')) return 'reload';
  if ((main && name.toLowerCase() === 'v') || (shiftKey && name === 'Insert')) return 'paste';
  if (altKey && !isMac && name === 'ArrowLeft') return 'back';
  if (altKey && !isMac && name === 'ArrowRight') return 'forward';
  // These are zoom, full screen, developer tools, and the shortcuts that no page can catch.
  const own =
    /^F1[12]$/.test(name) || (main && (/^[-+=0twnq]$/i.test(name) || (shiftKey && /^[ij]$/i.test(name))));
  return own ? 'own' : null;
}

// An input method or a dead key is composing text, which arrives later. 229: UI Events §7.3.1
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
