// A mark of our own.
import { drawLogo } from '../../src/kit/logo.ts';

export const logo = drawLogo(
  { light: '#8a2b22', dark: '#b3756f' },
  '<path d="M20 9.5l9 3.4v6.3c0 5.6-3.7 9.4-9 11.3-5.3-1.9-9-5.7-9-11.3v-6.3Z" fill="none" stroke="currentColor" stroke-width="2.4" stroke-linejoin="round"/><path d="M16 20l3 3 5.2-5.6" fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"/>',
);
