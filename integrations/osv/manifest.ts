// OSV: known vulnerabilities of open-source packages. It needs no connection.
import * as z from 'zod';
import { defineIntegration, tool } from '../../src/kit/integration.ts';
import { readPayload } from '../../src/kit/payload.ts';
import { logo } from './logo.ts';
import { words } from './words.ts';

const API = 'https://api.osv.dev/v1';

export const osv = defineIntegration({
  name: 'osv',
  version: '1.0.0',
  displayName: 'OSV',
  description: 'Known vulnerabilities of open-source packages',
  categories: ['built-in', 'security'],
  logo,
  auth: { type: 'none' },
  words,
  tools: [
    tool(
      'osv_query_package',
      'List the known vulnerabilities (CVE, GHSA) of an open-source package, of one version or of all',
      () => ({
        name: z.string().describe('Package name as in its registry, e.g. lodash or org.slf4j:slf4j-api'),
        ecosystem: z
          .string()
          .describe(
            'Registry, spelled exactly: npm, PyPI, Go, Maven, crates.io, NuGet, RubyGems, Packagist…',
          ),
        version: z.string().optional().describe('Exact version, e.g. 4.17.20; all versions if left out'),
        pageToken: z.string().optional().describe('`next_page_token` of the previous answer'),
      }),
      async ({ name, ecosystem, version, pageToken: page_token }, { fetch }) => {
        const body = JSON.stringify({ package: { name, ecosystem }, version, page_token });
        return readPayload(
          await fetch(`${API}/query`, {
            method: 'POST',
            body,
            headers: { 'content-type': 'application/json' },
          }),
        );
      },
    ),
    tool(
      'osv_get_vulnerability',
      'Get a vulnerability by its id, with affected versions and fixes',
      () => ({ id: z.string().describe('`id` from osv_query_package, e.g. GHSA-… or CVE-…') }),
      async ({ id }, { fetch }) => readPayload(await fetch(`${API}/vulns/${encodeURIComponent(id)}`)),
    ),
  ],
});
