// The mark of Google Docs, from Simple Icons (CC0).
import { drawBrandLogo } from '../../src/kit/logo.ts';

export const logo = drawBrandLogo(
  { light: '#4285f4', dark: '#4285f4' },
  'M14.727 6.727H14V0H4.91c-.905 0-1.637.732-1.637 1.636v20.728c0 .904.732 1.636 1.636 1.636h14.182c.904 0 1.636-.732 1.636-1.636V6.727h-6zm-.545 10.455H7.09v-1.364h7.09v1.364zm2.727-3.273H7.091v-1.364h9.818v1.364zm0-3.273H7.091V9.273h9.818v1.363zM14.727 6h6l-6-6v6z',
);
