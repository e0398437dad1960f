// Builds the portal into dist/portal, and serves it in development beside a gateway that runs, by default on port 3000.
import { join } from 'node:path';
import { defineConfig } from 'vite';

const GATEWAY = process.env['GATEWAY_URL'] ?? 'http://localhost:3000';
// To the gateway these pages are its own.
const gateway = { target: GATEWAY, headers: { origin: GATEWAY } };

// Nothing is painted before the theme is known: a person who chose the dark one saw a light page with every reload.
const paintedOnce = {
  name: 'painted-once',
  transformIndexHtml: {
    order: 'post',
    handler: (html: string) => html.replace('<script type="module"', '$& blocking="render"'),
  },
} as const;

export default defineConfig({
  plugins: [paintedOnce],
  root: join(import.meta.dirname, 'portal'),
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: join(import.meta.dirname, 'dist/portal'),
    emptyOutDir: true,
    // Where light-dark(), popover and CSS nesting are native.
    target: ['chrome125', 'firefox128', 'safari18'],
    // The content security policy knows files only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    // The portal's own modules lie in folders that are called like routes.
    proxy: { [String.raw`^/(api|rest|mcp|metrics)\b(?![^?]*\.ts)`]: gateway },
  },
});
