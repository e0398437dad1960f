// A mark of our own: a letter and its seal.
import { drawLogo } from '../../src/kit/logo.ts';

export const logo = drawLogo(
  { light: '#0b62b0', dark: '#5aa6e6' },
  '<g fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"><rect x="9" y="12" width="22" height="16" rx="2"/><path d="M9 15l11 7 11-7"/></g>',
);
