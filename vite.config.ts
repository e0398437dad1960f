// Builds the portal into dist/portal, and serves it to `npm run dev`.
import { join } from 'node:path';
import { defineConfig } from 'vite';
import { textFilesOf } from './drivers/texts/asset.ts';
import { type Bundle, documentsOf, appGroupOf, pairGroupOf, partsGroupOf } from './vite.parts.ts';
import { integrations } from './integrations/all.ts';
import { guides } from './integrations/guides.ts';
import { FEATURES } from './src/features.ts';
import { describeOperations } from './src/rest/openapi/gateway-document.ts';
import { searchTables } from './src/search/tables.ts';

const GATEWAY = process.env['GATEWAY_URL'] || `http://localhost:${process.env['PORT'] || 3000}`;
// The gateway accepts requests of its own pages only.
const gateway = { target: GATEWAY, headers: { origin: GATEWAY } };

// The browser paints nothing before the theme is known. Otherwise a dark portal flashes white at every reload. The first
// script does not wait for the style sheet.
const paintedOnce = {
  name: 'painted-once',
  transformIndexHtml: {
    order: 'post',
    handler: (html: string) => html.replace('<script type="module"', '$& blocking="render" async'),
  },
} as const;

// A Worker reads the guides, the texts of the integrations and the description of the gateway from here.
const withTexts = {
  name: 'with-texts',
  generateBundle(this: { emitFile: (file: object) => void }) {
    this.emitFile({ type: 'asset', fileName: 'guides.json', source: JSON.stringify(guides) });
    for (const [fileName, source] of textFilesOf(integrations, searchTables, describeOperations(FEATURES)))
      this.emitFile({ type: 'asset', fileName, source });
  },
};

// Each page that a visit begins with has a document that names its parts, so that all parts come at the same time.
const withDocuments = {
  name: 'with-documents',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(this: { emitFile: (file: object) => void }, _options: unknown, bundle: Bundle) {
      for (const [fileName, source] of documentsOf(bundle))
        this.emitFile({ type: 'asset', fileName, source });
    },
  },
} as const;

export default defineConfig({
  plugins: [paintedOnce, withTexts, withDocuments],
  root: join(import.meta.dirname, 'portal'),
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: join(import.meta.dirname, 'dist/portal'),
    emptyOutDir: true,
    // These are the first versions with light-dark(), popover and CSS nesting.
    target: ['chrome125', 'firefox128', 'safari18'],
    // The content security policy allows files only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Few files: over a slow link each small file would wait for another.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'start', tags: ['$initial'], priority: 4 },
            { name: appGroupOf, debugName: 'app', priority: 3 },
            { name: partsGroupOf, debugName: 'parts', priority: 2 },
            { name: pairGroupOf, debugName: 'pairs', priority: 1 },
          ],
        },
        // The gateway's own pages use the typeface, too, and know it by this name.
        assetFileNames: ({ names }) =>
          names.includes('inter.woff2') ? 'assets/inter.woff2' : 'assets/[name]-[hash][extname]',
      },
    },
  },
  server: {
    // Some folders of the portal have the name of a route, so requests for modules are not forwarded.
    proxy: { [String.raw`^/(api|rest|mcp|metrics|f|j|openapi\.json|llms\.txt)\b(?![^?]*\.ts)`]: gateway },
  },
});
