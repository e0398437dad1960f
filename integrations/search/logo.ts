// A mark of our own: a lens over lines of text.
import { drawLogo } from '../../src/kit/logo.ts';

export const logo = drawLogo(
  { light: '#5b3a8c', dark: '#b79ae0' },
  '<circle cx="18" cy="18" r="8" fill="none" stroke="currentColor" stroke-width="2.6"/><path d="M24 24l7 7M14.5 16h7M14.5 20h4.5" fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round"/>',
);
