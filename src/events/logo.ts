// A bell, of our own.
import { drawLogo } from '../kit/logo.ts';

export const logo = drawLogo(
  { light: '#5b3fa0', dark: '#8f7ac4' },
  '<path d="M14 23.5v-6a6 6 0 0 1 12 0v6l2 2.5H12zM18 29a2.2 2.2 0 0 0 4 0M20 9v2.5" fill="none" stroke="currentColor" stroke-width="2.4" stroke-linejoin="round" stroke-linecap="round"/>',
);
