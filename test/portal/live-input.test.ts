// Keys of any layout, and what the address says about being signed in.
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
  it('carry the text of the person’s own layout, and the place on the keyboard', () => {
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

  it('with a name have no text', () => {
    expect(keyDown(key('ArrowLeft'))).toMatchObject({ type: 'rawKeyDown' });
    expect(keyDown(key('ArrowLeft'))).not.toHaveProperty('text');
    expect(keyDown(key('F2'))).toMatchObject({ type: 'rawKeyDown' });
  });

  it('under AltGraph lose the Ctrl and Alt that spell it', () => {
    const at = keyDown(key('@', { ctrlKey: true, altKey: true, altGraph: true }));
    expect(at).toMatchObject({ type: 'keyDown', text: '@', modifiers: 0 });
    expect(keyDown(key('q', { ctrlKey: true, altKey: true }))).toMatchObject({
      type: 'rawKeyDown',
      modifiers: 3,
    });
  });

  it('of a Mac: Option types, Command edits', () => {
    expect(keyDown(key('ø', { altKey: true, isMac: true }))).toMatchObject({ text: 'ø' });
    expect(keyDown(key('a', { metaKey: true, isMac: true }))).toMatchObject({ commands: ['selectAll'] });
    const toStart = key('ArrowLeft', { metaKey: true, shiftKey: true, isMac: true });
    expect(keyDown(toStart)).toMatchObject({ commands: ['moveToBeginningOfLineAndModifySelection'] });
  });

  it('that are not the site’s are told apart', () => {
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

  it('that an input method or a dead key holds are left to it', () => {
    expect(shortcut('Dead')).toBe('compose');
    expect(shortcut('a', { isComposing: true })).toBe('compose');
    expect(shortcut('Unidentified', { keyCode: 229 })).toBe('compose');
  });
});

describe('Live view: places', () => {
  const frame = { offsetTop: 0, pageScaleFactor: 1, deviceWidth: 1000, deviceHeight: 500 };
  const where = { clientX: 110, clientY: 220 };

  it('in the picture are places in the page, however large the picture is', () => {
    const box = { left: 10, top: 20, width: 500, height: 400 };
    expect(pointIn(placeOf(frame, box), box, where)).toEqual({ x: 200, y: 400 });
    expect(pointIn(placeOf({ ...frame, offsetTop: 10 }, box), box, where)).toEqual({ x: 200, y: 390 });
  });

  it('on a phone are in the pixels of a page that is made for wider windows', () => {
    const box = { left: 10, top: 20, width: 1000, height: 500 };
    expect(pointIn(placeOf({ ...frame, pageScaleFactor: 0.5 }, box), box, where)).toEqual({ x: 200, y: 400 });
  });
});

describe('Live view: “I’m signed in” lights up', () => {
  const at = (url: string) => ({ url, hosts: [] });

  it('when the address leaves the log-in’s host', () => {
    const login = at('https://login.example.com/');
    expect(hasLeftLogIn(login, 'https://login.example.com/')).toBe(false);
    expect(hasLeftLogIn(login, 'https://app.example.com/')).toBe(true);
    expect(hasLeftLogIn(login, 'about:blank')).toBe(false);
    expect(hasLeftLogIn(login, 'chrome-error://chromewebdata/')).toBe(false);
  });

  it('or the log-in’s page, where host and even path are the same', () => {
    const login = at('https://wiki.example.com/w/index.php?title=Special:UserLogin');
    const failed = 'https://wiki.example.com/w/index.php?title=Special:UserLogin&returnto=Main';
    expect(hasLeftLogIn(login, failed)).toBe(false);
    expect(hasLeftLogIn(login, 'https://wiki.example.com/w/index.php?title=Main')).toBe(true);
    expect(hasLeftLogIn(login, 'https://wiki.example.com/w/index.php/Main')).toBe(true);
  });

  it('and not for the single sign-on that a log-in leads to by itself', () => {
    const login = learnLogIn(at('https://app.example.com/login'), 'https://sso.example.org/start');
    expect(hasLeftLogIn(login, 'https://sso.example.org/password')).toBe(false);
    expect(hasLeftLogIn(login, 'https://app.example.com/')).toBe(true);
  });

  it('never where there is no log-in', () => {
    expect(hasLeftLogIn(at(''), 'https://app.example.com/')).toBe(false);
  });
});
