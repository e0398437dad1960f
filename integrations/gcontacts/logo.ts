// A mark of our own: a person on a card.
import { drawLogo } from '../../src/kit/logo.ts';

export const logo = drawLogo(
  { light: '#1a73e8', dark: '#8ab4f8' },
  '<rect x="10" y="9" width="20" height="22" rx="3" fill="none" stroke="currentColor" stroke-width="2.4"/><circle cx="20" cy="17" r="3.2" fill="none" stroke="currentColor" stroke-width="2.4"/><path d="M14.5 26.5c1-3 3-4.3 5.5-4.3s4.5 1.3 5.5 4.3" fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round"/>',
);
