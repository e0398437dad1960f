// What a key of any layout means to the browser at the other end.
// https://chromedevtools.github.io/devtools-protocol/tot/Input/#method-dispatchKeyEvent
import type { Params } from '../wire/commands.ts';

interface Held {
  altKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
}

/** What of a KeyboardEvent counts. */
export interface Key extends Held {
  key: string;
  code: string;
  keyCode: number;
  location: number;
  repeat: boolean;
  altGraph: boolean;
  isMac: boolean;
}

const ALT = 1;
const CTRL = 2;
const META = 4;
const SHIFT = 8;
const NUMPAD = 3;

/** What a Mac's keys do to text. The other browser is no Mac's, so it has to be told. */
const MAC_COMMANDS: Readonly<Record<string, string>> = {
  'Meta+a': 'selectAll',
  'Meta+c': 'copy',
  'Meta+x': 'cut',
  'Meta+z': 'undo',
  'Meta+Shift+z': 'redo',
  'Meta+ArrowLeft': 'moveToBeginningOfLine',
  'Meta+ArrowRight': 'moveToEndOfLine',
  'Meta+ArrowUp': 'moveToBeginningOfDocument',
  'Meta+ArrowDown': 'moveToEndOfDocument',
  'Meta+Shift+ArrowLeft': 'moveToBeginningOfLineAndModifySelection',
  'Meta+Shift+ArrowRight': 'moveToEndOfLineAndModifySelection',
  'Meta+Shift+ArrowUp': 'moveToBeginningOfDocumentAndModifySelection',
  'Meta+Shift+ArrowDown': 'moveToEndOfDocumentAndModifySelection',
  'Meta+Backspace': 'deleteToBeginningOfLine',
  'Alt+ArrowLeft': 'moveWordLeft',
  'Alt+ArrowRight': 'moveWordRight',
  'Alt+Shift+ArrowLeft': 'moveWordLeftAndModifySelection',
  'Alt+Shift+ArrowRight': 'moveWordRightAndModifySelection',
  'Alt+Backspace': 'deleteWordBackward',
  'Alt+Delete': 'deleteWordForward',
  'Ctrl+a': 'moveToBeginningOfLine',
  'Ctrl+e': 'moveToEndOfLine',
  'Ctrl+k': 'deleteToEndOfParagraph',
};

export function modifiersOf({ altKey, ctrlKey, metaKey, shiftKey }: Held): number {
  return (altKey ? ALT : 0) | (ctrlKey ? CTRL : 0) | (metaKey ? META : 0) | (shiftKey ? SHIFT : 0);
}

/** Down and up of one key. Its text is what the person's own layout makes of it. */
export function keyDown(key: Key): Params {
  const command = key.isMac ? MAC_COMMANDS[chordOf(key)] : undefined;
  const text = command === undefined ? textOf(key) : '';
  return {
    type: text === '' ? 'rawKeyDown' : 'keyDown',
    ...described(key),
    ...(text === '' ? {} : { text, unmodifiedText: text }),
    ...(key.repeat ? { autoRepeat: true } : {}),
    ...(command === undefined ? {} : { commands: [command] }),
  };
}

export function keyUp(key: Key): Params {
  return { type: 'keyUp', ...described(key) };
}

function described(key: Key): Params {
  const { code, keyCode, location } = key;
  return {
    key: key.key,
    code,
    windowsVirtualKeyCode: keyCode,
    modifiers: modifiersOf(withoutAltGraph(key)),
    ...(location === 0 || location === NUMPAD ? {} : { location }),
    ...(location === NUMPAD ? { isKeypad: true } : {}),
  };
}

// Ctrl and Alt are how Windows spells AltGraph: with them, "@" would be a shortcut.
function withoutAltGraph(key: Key): Key {
  return key.altGraph ? { ...key, altKey: false, ctrlKey: false } : key;
}

function textOf(key: Key): string {
  if (key.key === 'Enter') return '\r';
  const { altKey, ctrlKey, metaKey } = withoutAltGraph(key);
  // Option is a Mac's AltGraph.
  const isShortcut = ctrlKey || metaKey || (altKey && !key.isMac);
  return isShortcut || !isOneCharacter(key.key) ? '' : key.key;
}

/** Named keys have longer names; a character may be two code units, or a letter with its accent. */
function isOneCharacter(text: string): boolean {
  return /^(.|\p{L}\p{M}+)$/u.test(text);
}

function chordOf({ key, altKey, ctrlKey, metaKey, shiftKey }: Key): string {
  const name = key.length === 1 ? key.toLowerCase() : key;
  const held = [metaKey && 'Meta', ctrlKey && 'Ctrl', altKey && 'Alt', shiftKey && 'Shift'];
  return [...held.filter((each) => each !== false), name].join('+');
}
