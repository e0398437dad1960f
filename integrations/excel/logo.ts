// A mark of our own: a sheet of cells.
import { drawLogo } from '../../src/kit/logo.ts';

export const logo = drawLogo(
  { light: '#1b6e43', dark: '#5cb987' },
  '<g fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"><rect x="9" y="10" width="22" height="20" rx="2"/><path d="M9 16.5h22M9 23h22M17 10v20"/></g>',
);
