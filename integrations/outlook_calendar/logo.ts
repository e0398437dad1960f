// A mark of our own: the sheet of a week with one marked day.
import { drawLogo } from '../../src/kit/logo.ts';

export const logo = drawLogo(
  { light: '#0b62b0', dark: '#5aa6e6' },
  '<g fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"><rect x="9.5" y="11" width="21" height="19" rx="2"/><path d="M9.5 17h21M15 8.5v4M25 8.5v4M22 24h3"/></g>',
);
