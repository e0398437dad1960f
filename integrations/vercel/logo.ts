// The mark of Vercel, from Simple Icons (CC0).
import { drawBrandLogo } from '../../src/kit/logo.ts';

export const logo = drawBrandLogo({ light: '#000000', dark: '#f2efe8' }, 'm12 1.608 12 20.784H0Z');
