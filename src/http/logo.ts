// Sends a logo, which is an SVG that everybody may see.
import type { Context } from 'hono';
import { LOGO_MAX_AGE_SECONDS } from './limits.ts';

export function sendLogo(c: Context, svg: string): Response {
  return c.body(svg, 200, {
    'Content-Type': 'image/svg+xml',
    'Cache-Control': `public, max-age=${LOGO_MAX_AGE_SECONDS}`,
    // A browser that opens the SVG itself treats it as a page. The policy forbids scripts in it.
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
    'X-Content-Type-Options': 'nosniff',
  });
}
