// A mark of our own.
import { drawLogo } from '../../src/kit/logo.ts';

export const logo = drawLogo(
  { light: '#1d5663', dark: '#618992' },
  '<circle cx="20" cy="20" r="10.2" fill="none" stroke="currentColor" stroke-width="2.4"/><path d="M9.8 20h20.4M20 9.8c5.6 6 5.6 14.4 0 20.4M20 9.8c-5.6 6-5.6 14.4 0 20.4" fill="none" stroke="currentColor" stroke-width="2"/>',
);
