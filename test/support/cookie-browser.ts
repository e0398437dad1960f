// Pretends a browser that is open and holds these cookies of a person.
import {
  type Browser,
  type BrowserCookie,
  type BrowserSession,
  FIRST_PROFILE,
} from '../../src/ports/browser.ts';

export function browserWith(cookies: BrowserCookie[]): Browser {
  const session: BrowserSession = {
    userAgent: 'Test',
    profile: FIRST_PROFILE,
    closed: new Promise(() => {}),
    navigate: async () => {},
    cookies: async () => cookies,
    setCookies: async () => {},
    openChannel: () => Promise.reject(new Error('no channel')),
    close: async () => {},
  };
  return {
    status: () => 'on',
    current: () => session,
    open: async () => session,
    forget: async () => {},
    remove: async () => {},
    reset: async () => {},
    close: async () => {},
  };
}
