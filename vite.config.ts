// Builds the portal into dist/portal, and serves it in development beside a gateway on port 3000.
import { join } from 'node:path';
import { defineConfig } from 'vite';

const GATEWAY = 'http://localhost:3000';

export default defineConfig({
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
    proxy: { '/api': GATEWAY, '/rest': GATEWAY, '/mcp': GATEWAY, '/metrics': GATEWAY },
  },
});
