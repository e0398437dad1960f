// A mark of our own: two people who speak.
import { drawLogo } from '../../src/kit/logo.ts';

export const logo = drawLogo(
  { light: '#4b4fa8', dark: '#9a9eea' },
  '<g fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"><circle cx="16" cy="14" r="4"/><path d="M9 29v-3a5 5 0 0 1 5-5h4a5 5 0 0 1 5 5v3M26.5 18a3.2 3.2 0 1 0-2-5.7M27 22a4.5 4.5 0 0 1 4.5 4.5V29"/></g>',
);
