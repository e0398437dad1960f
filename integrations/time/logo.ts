// A mark of our own: a dial.
import { drawLogo } from '../../src/kit/logo.ts';

export const logo = drawLogo(
  { light: '#24553a', dark: '#668875' },
  '<circle cx="20" cy="20" r="10.5" fill="none" stroke="currentColor" stroke-width="2.4"/><path d="M20 13.5V20l4.6 2.9" fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"/>',
);
