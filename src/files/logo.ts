// A tray with an arrow into it, of our own.
import { drawLogo } from '../kit/logo.ts';

export const logo = drawLogo(
  { light: '#3f5f22', dark: '#6f8759' },
  '<path d="M11 22v6.5h18V22M20 11v12M15.5 18.8 20 23.2l4.5-4.4" fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"/>',
);
