// A mark of our own: a list with a tick.
import { drawLogo } from '../../src/kit/logo.ts';

export const logo = drawLogo(
  { light: '#2a5db0', dark: '#7ea6e8' },
  '<g fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"><path d="M9 14l2.5 2.5L16 11M20 14h11M20 21h11M20 28h11M10 21h4M10 28h4"/></g>',
);
