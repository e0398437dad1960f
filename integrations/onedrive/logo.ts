// A mark of our own: a cloud with a file.
import { drawLogo } from '../../src/kit/logo.ts';

export const logo = drawLogo(
  { light: '#0b62b0', dark: '#5aa6e6' },
  '<g fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"><path d="M14 28a5 5 0 0 1-.6-9.9 7 7 0 0 1 13.4-1.6A5.8 5.8 0 0 1 26 28zM20 24v-5M17.5 21l2.5-2.5 2.5 2.5"/></g>',
);
