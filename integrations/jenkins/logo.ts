// A mark of our own: a pipeline of three stages.
import { drawLogo } from '../../src/kit/logo.ts';

export const logo = drawLogo(
  { light: '#2f4f6b', dark: '#6d8497' },
  '<path d="M13.5 20h3M23.5 20h3" stroke="currentColor" stroke-width="2.4" stroke-linecap="round"/><circle cx="10.5" cy="20" r="3" fill="currentColor"/><circle cx="20" cy="20" r="3.2" fill="none" stroke="currentColor" stroke-width="2.4"/><path d="M26.5 16l7 4-7 4z" fill="currentColor"/>',
);
