// The mark of Y Combinator, which runs Hacker News, from Simple Icons (CC0).
import { drawBrandLogo } from '../../src/kit/logo.ts';

export const logo = drawBrandLogo(
  { light: '#f0652f', dark: '#f0652f' },
  'M0 24V0h24v24H0zM6.951 5.896l4.112 7.708v5.064h1.583v-4.972l4.148-7.799h-1.749l-2.457 4.875c-.372.745-.688 1.434-.688 1.434s-.297-.708-.651-1.434L8.831 5.896h-1.88z',
);
