// A mark of our own: two voices of one conversation.
import { drawLogo } from '../../src/kit/logo.ts';

export const logo = drawLogo(
  { light: '#6b2353', dark: '#9f708f' },
  '<g fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"><path d="M10 11h14v8.5H15L10 23z"/><path d="M28 17h2v13l-4.5-3.5H17V23.5"/></g>',
);
