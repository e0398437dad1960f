// A prompt and a line, of our own.
import { drawLogo } from '../kit/logo.ts';

export const logo = drawLogo(
  { light: '#3a5f8a', dark: '#7da3cf' },
  '<path d="M11 13.5l6.5 6.5-6.5 6.5M20.5 27.5h9" fill="none" stroke="currentColor" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/>',
);
