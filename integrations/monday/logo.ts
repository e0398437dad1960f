// A mark of our own: the rows of a board.
import { drawLogo } from '../../src/kit/logo.ts';

export const logo = drawLogo(
  { light: '#5b3fd6', dark: '#a08cf5' },
  '<path d="M10.5 12.5h2.5M18 12.5h11.5M10.5 20h2.5M18 20h11.5M10.5 27.5h2.5M18 27.5h7" fill="none" stroke="currentColor" stroke-width="3.2" stroke-linecap="round"/>',
);
