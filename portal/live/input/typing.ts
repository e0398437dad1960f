// Listens for everything people type: keys, input methods, phone keyboards, pasting and password managers.
import type { Params } from '../wire/commands.ts';
import { type Key, keyDown, keyUp } from './keyboard.ts';
import { shortcutOf } from './shortcuts.ts';

export interface Typist {
  send: (method: string, params: Params) => void;
  paste: (text: string) => void;
  back: () => void;
  forward: () => void;
  reload: () => void;
  leave: () => void;
}

const IS_MAC = /^Mac|^iPhone|^iPad/.test(navigator.platform);

/**
 * The key for each input type that a phone's keyboard sends without a key event.
 * https://w3c.github.io/input-events/#interface-InputEvent-Attributes
 */
const KEY_OF_INPUT: Readonly<Record<string, Params>> = {
  insertLineBreak: { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' },
  insertParagraph: { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' },
  deleteContentBackward: { key: 'Backspace', code: 'Backspace', windowsVirtualKeyCode: 8 },
  deleteWordBackward: { key: 'Backspace', code: 'Backspace', windowsVirtualKeyCode: 8, modifiers: 2 },
  deleteContentForward: { key: 'Delete', code: 'Delete', windowsVirtualKeyCode: 46 },
};

/** Listens on the stage. Returns a function that stops listening. */
export function listenToTyping(stage: HTMLElement, typist: Typist): () => void {
  const pressed = new Map<string, Key>();

  function onKeyDown(event: KeyboardEvent): void {
    const key = keyOf(event);
    const shortcut = shortcutOf({ ...key, isComposing: event.isComposing });
    if (shortcut === 'compose' || shortcut === 'paste' || shortcut === 'own') return;
    event.preventDefault();
    if (shortcut !== null) return typist[shortcut]();
    pressed.set(key.code, key);
    typist.send('Input.dispatchKeyEvent', keyDown(key));
  }

  function onKeyUp(event: KeyboardEvent): void {
    if (!pressed.delete(event.code)) return;
    event.preventDefault();
    typist.send('Input.dispatchKeyEvent', keyUp(keyOf(event)));
  }

  // Releases the pressed keys when the focus leaves the stage.
  function release(): void {
    for (const key of pressed.values()) typist.send('Input.dispatchKeyEvent', keyUp(key));
    pressed.clear();
  }

  function onBeforeInput(event: InputEvent): void {
    const inputKey = KEY_OF_INPUT[event.inputType];
    const { data } = event;
    if (inputKey !== undefined) press(inputKey);
    else if (event.inputType === 'insertText' && data !== null) type(data);
    else return;
    event.preventDefault();
  }

  function press(key: Params): void {
    typist.send('Input.dispatchKeyEvent', {
      type: key['text'] === undefined ? 'rawKeyDown' : 'keyDown',
      ...key,
    });
    const { text: _, ...up } = key;
    typist.send('Input.dispatchKeyEvent', { type: 'keyUp', ...up });
  }

  /** Sends one character as its key would, because a date field ignores inserted text. */
  function type(text: string): void {
    if (Array.from(text).length === 1) typist.send('Input.dispatchKeyEvent', { type: 'char', text });
    else insert(text);
  }

  function insert(text: string): void {
    if (text !== '') typist.send('Input.insertText', { text });
  }

  function onCompositionUpdate({ data }: CompositionEvent): void {
    typist.send('Input.imeSetComposition', {
      text: data,
      selectionStart: data.length,
      selectionEnd: data.length,
    });
  }

  function onCompositionEnd(event: CompositionEvent): void {
    const { data } = event;
    if (data === '') typist.send('Input.imeSetComposition', { text: '', selectionStart: 0, selectionEnd: 0 });
    else insert(data);
    empty(event);
  }

  // Text without a key or an input method comes from a password manager, which fills the whole field.
  function onInput(event: Event): void {
    if (!isTarget(event.target) || (event instanceof InputEvent && /composition/i.test(event.inputType)))
      return;
    const text = event.target.value;
    empty(event);
    if (text === '') return;
    typist.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', commands: ['selectAll'] });
    insert(text);
  }

  function onPaste(event: ClipboardEvent): void {
    event.preventDefault();
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (text !== '') typist.paste(text);
  }

  const stop = new AbortController();
  const { signal } = stop;
  const onlyTyping =
    <E extends Event>(then: (event: E) => void) =>
    (event: E) => {
      if (isTarget(event.target)) then(event);
    };
  stage.addEventListener('keydown', onlyTyping(onKeyDown), { signal });
  stage.addEventListener('keyup', onlyTyping(onKeyUp), { signal });
  stage.addEventListener('beforeinput', onlyTyping(onBeforeInput), { signal });
  stage.addEventListener('compositionupdate', onlyTyping(onCompositionUpdate), { signal });
  stage.addEventListener('compositionend', onlyTyping(onCompositionEnd), { signal });
  stage.addEventListener('input', onInput, { signal });
  stage.addEventListener('paste', onlyTyping(onPaste), { signal });
  stage.addEventListener('focusout', release, { signal });
  return () => stop.abort();
}

/** Tells whether the target is the field that passes typed text on to the site. */
function isTarget(target: EventTarget | null): target is HTMLInputElement {
  return target instanceof HTMLInputElement && target.dataset['typing'] !== undefined;
}

function empty({ target }: Event): void {
  if (isTarget(target)) target.value = '';
}

function keyOf(event: KeyboardEvent): Key {
  const { key, code, keyCode, location, repeat, altKey, ctrlKey, metaKey, shiftKey } = event;
  const altGraph = event.getModifierState('AltGraph');
  return {
    key,
    code,
    keyCode,
    location,
    repeat,
    altKey,
    ctrlKey,
    metaKey,
    shiftKey,
    altGraph,
    isMac: IS_MAC,
  };
}
