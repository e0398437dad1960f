// A mark of our own: a list with a tick.
import { drawLogo } from '../../src/kit/logo.ts';

export const logo = drawLogo(
  { light: '#8f2f24', dark: '#b16d66' },
  '<path d="M10.5 14.5l2.6 2.6 4.4-5M20.5 15H30M10.5 26.5l2.6 2.6 4.4-5M20.5 27H30" fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"/>',
);
