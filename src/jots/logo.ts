// A page with a turned corner, of our own.
import { drawLogo } from '../kit/logo.ts';

export const logo = drawLogo(
  { light: '#a3420d', dark: '#ba714a' },
  '<path d="M12.5 10.5h10l5 5v14h-15z" fill="none" stroke="currentColor" stroke-width="2.4" stroke-linejoin="round"/><path d="M22.2 10.8v5h5M16.2 20.6h7.6M16.2 24.8h5" fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"/>',
);
