// Tests how keys of any layout are sent, and how the address shows that a person has signed in.
import { describe, expect, it } from 'vitest';
import { type Key, keyDown, keyUp } from '../../portal/live/input/keyboard.ts';
import { placeOf, pointIn } from '../../portal/live/input/place.ts';
import { shortcutOf } from '../../portal/live/input/shortcuts.ts';
import { hasLeftLogIn, learnLogIn } from '../../portal/live/remote/signed-in.ts';

function key(name: string, more: Partial<Key> = {}): Key {
  const held = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false };
  const plain = { code: '', keyCode: 0, location: 0, repeat: false, altGraph: false, isMac: false };
  return { ...held, ...plain, key: name, ...more };
}

const shortcut = (name: string, more: Partial<Key> & { isComposing?: boolean } = {}) =>
  shortcutOf({ isComposing: false, ...key(name, more) });

describe('Live view: keys', () => {
  it('sends the text of the person’s own layout and the position on the keyboard', () => {
    const z = keyDown(key('z', { code: 'KeyY', keyCode: 90 }));
    expect(z).toEqual({
      type: 'keyDown',
      key: 'z',
      code: 'KeyY',
      windowsVirtualKeyCode: 90,
      modifiers: 0,
      text: 'z',
      unmodifiedText: 'z',
    });
    expect(keyDown(key('é'))).toMatchObject({ type: 'keyDown', text: 'é' });
    expect(keyDown(key('😀'))).toMatchObject({ type: 'keyDown', text: '😀' });
    expect(keyDown(key('Enter', { code: 'Enter' }))).toMatchObject({ text: '\r' });
    expect(keyUp(key('z', { code: 'KeyY' }))).not.toHaveProperty('text');
  });

  it('sends no text for named keys', () => {
    expect(keyDown(key('ArrowLeft'))).toMatchObject({ type: 'rawKeyDown' });
    expect(keyDown(key('ArrowLeft'))).not.toHaveProperty('text');
    expect(keyDown(key('F2'))).toMatchObject({ type: 'rawKeyDown' });
  });

  it('drops the Ctrl and Alt that stand for AltGraph', () => {
    const at = keyDown(key('@', { ctrlKey: true, altKey: true, altGraph: true }));
    expect(at).toMatchObject({ type: 'keyDown', text: '@', modifiers: 0 });
    expect(keyDown(key('q', { ctrlKey: true, altKey: true }))).toMatchObject({
      type: 'rawKeyDown',
      modifiers: 3,
    });
  });

  it('types with Option and edits with Command on a Mac', () => {
    expect(keyDown(key('ø', { altKey: true, isMac: true }))).toMatchObject({ text: 'ø' });
    expect(keyDown(key('a', { metaKey: true, isMac: true }))).toMatchObject({ commands: ['selectAll'] });
    const toStart = key('ArrowLeft', { metaKey: true, shiftKey: true, isMac: true });
    expect(keyDown(toStart)).toMatchObject({ commands: ['moveToBeginningOfLineAndModifySelection'] });
  });

  it('recognises keys that are not for the site', () => {
    expect(shortcut('F6')).toBe('leave');
    expect(shortcut('Escape', { shiftKey: true })).toBe('leave');
    expect(shortcut('Escape')).toBeNull();
    expect(shortcut('v', { ctrlKey: true })).toBe('paste');
    expect(shortcut('v', { metaKey: true, isMac: true })).toBe('paste');
    expect(shortcut('Insert', { shiftKey: true })).toBe('paste');
    expect(shortcut('v', { ctrlKey: true, altKey: true, altGraph: true })).toBeNull();
    expect(shortcut('r', { ctrlKey: true })).toBe('reload');
    expect(shortcut('ArrowLeft', { altKey: true })).toBe('back');
    expect(shortcut('t', { ctrlKey: true })).toBe('own');
    expect(shortcut('Tab')).toBeNull();
  });

  it('leaves keys to an input method or a dead key', () => {
    expect(shortcut('Dead')).toBe('compose');
    expect(shortcut('a', { isComposing: true })).toBe('compose');
    expect(shortcut('Unidentified', { keyCode: 229 })).toBe('compose');
  });
});

describe('Live view: places', () => {
  const frame = { offsetTop: 0, pageScaleFactor: 1, deviceWidth: 1000, deviceHeight: 500 };
  const where = { clientX: 110, clientY: 220 };

  it('converts points of the picture into points of the page, whatever the size of the picture', () => {
    const box = { left: 10, top: 20, width: 500, height: 400 };
    expect(pointIn(placeOf(frame, box), box, where)).toEqual({ x: 200, y: 400 });
    expect(pointIn(placeOf({ ...frame, offsetTop: 10 }, box), box, where)).toEqual({ x: 200, y: 390 });
  });

  it('uses the pixels of a page that is made for wider windows on a phone', () => {
    const box = { left: 10, top: 20, width: 1000, height: 500 };
    expect(pointIn(placeOf({ ...frame, pageScaleFactor: 0.5 }, box), box, where)).toEqual({ x: 200, y: 400 });
  });
});

describe('Live view: “I’m signed in”', () => {
  const at = (url: string) => ({ url, hosts: [] });

  it('lights up when the address leaves the host of the login', () => {
    const login = at('https://login.example.com/');
    expect(hasLeftLogIn(login, 'https://login.example.com/')).toBe(false);
    expect(hasLeftLogIn(login, 'https://app.example.com/')).toBe(true);
    expect(hasLeftLogIn(login, 'about:blank')).toBe(false);
    expect(hasLeftLogIn(login, 'chrome-error://chromewebdata/')).toBe(false);
  });

  it('lights up when the address leaves the login page on the same host or path', () => {
    const login = at('https://wiki.example.com/w/index.php?title=Special:UserLogin');
    const failed = 'https://wiki.example.com/w/index.php?title=Special:UserLogin&returnto=Main';
    expect(hasLeftLogIn(login, failed)).toBe(false);
    expect(hasLeftLogIn(login, 'https://wiki.example.com/w/index.php?title=Main')).toBe(true);
    expect(hasLeftLogIn(login, 'https://wiki.example.com/w/index.php/Main')).toBe(true);
  });

  it('stays dark on the single sign-on that a login redirects to', () => {
    const login = learnLogIn(at('https://app.example.com/login'), 'https://sso.example.org/start');
    expect(hasLeftLogIn(login, 'https://sso.example.org/password')).toBe(false);
    expect(hasLeftLogIn(login, 'https://app.example.com/')).toBe(true);
  });

  it('stays dark without a login', () => {
    expect(hasLeftLogIn(at(''), 'https://app.example.com/')).toBe(false);
  });
});
