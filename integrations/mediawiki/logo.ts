// A mark of our own: a page with a link in it.
import { drawLogo } from '../../src/kit/logo.ts';

export const logo = drawLogo(
  { light: '#6b5a1e', dark: '#908356' },
  '<path d="M12 9.5h11.5L29 15v15.5H12z" fill="none" stroke="currentColor" stroke-width="2.4" stroke-linejoin="round"/><path d="M16.5 18.5h4M16.5 23h8M16.5 26.5h5.5" stroke="currentColor" stroke-width="2.2" stroke-linecap="round"/>',
);
