// Translates a key of any keyboard layout into commands for the remote browser.
// https://chromedevtools.github.io/devtools-protocol/tot/Input/#method-dispatchKeyEvent
import type { Params } from '../wire/commands.ts';

interface Modifiers {
  altKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
}

/** The parts of a KeyboardEvent that matter. */
export interface Key extends Modifiers {
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

/** The editing shortcuts of a Mac. The remote browser does not run on a Mac, so it needs the commands. */
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

export function modifiersOf({ altKey, ctrlKey, metaKey, shiftKey }: Modifiers): number {
  return (altKey ? ALT : 0) | (ctrlKey ? CTRL : 0) | (metaKey ? META : 0) | (shiftKey ? SHIFT : 0);
}

/** Describes a pressed key. The person's keyboard layout decides its text. */
export function keyDown(key: Key): Params {
  const command = key.isMac ? MAC_COMMANDS[chordOf(key)] : undefined;
  const text = command === undefined ? textOf(key) : '';
  return {
    type: text === '' ? 'rawKeyDown' : 'keyDown',
    ...describeKey(key),
    ...(text === '' ? {} : { text, unmodifiedText: text }),
    ...(key.repeat ? { autoRepeat: true } : {}),
    ...(command === undefined ? {} : { commands: [command] }),
  };
}

export function keyUp(key: Key): Params {
  return { type: 'keyUp', ...describeKey(key) };
}

function describeKey(key: Key): Params {
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

// Windows reports AltGraph as Ctrl and Alt, which would turn "@" into a shortcut.
function withoutAltGraph(key: Key): Key {
  return key.altGraph ? { ...key, altKey: false, ctrlKey: false } : key;
}

function textOf(key: Key): string {
  if (key.key === 'Enter') return '\r';
  const { altKey, ctrlKey, metaKey } = withoutAltGraph(key);
  // The Option key is AltGraph on a Mac.
  const isShortcut = ctrlKey || metaKey || (altKey && !key.isMac);
  return isShortcut || !isOneCharacter(key.key) ? '' : key.key;
}

/** Tells a character from a named key. A character may be two code units, or a letter with its accent. */
function isOneCharacter(text: string): boolean {
  return /^(.|\p{L}\p{M}+)$/u.test(text);
}

function chordOf({ key, altKey, ctrlKey, metaKey, shiftKey }: Key): string {
  const name = key.length === 1 ? key.toLowerCase() : key;
  const held = [metaKey && 'Meta', ctrlKey && 'Ctrl', altKey && 'Alt', shiftKey && 'Shift'];
  return [...held.filter((each) => each !== false), name].join('+');
}
