// A mark of our own: Salesforce asked Simple Icons to remove its mark.
import { drawLogo } from '../../src/kit/logo.ts';

export const logo = drawLogo(
  { light: '#0d70b8', dark: '#4aa3df' },
  '<path d="M13.5 27.5a5 5 0 0 1-.6-9.9 6 6 0 0 1 10.4-3.2 5.4 5.4 0 0 1 7.2 5 4.1 4.1 0 0 1-.5 8.1z" fill="none" stroke="currentColor" stroke-width="2.4" stroke-linejoin="round"/>',
);
