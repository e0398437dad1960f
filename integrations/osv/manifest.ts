// OSV: known vulnerabilities of open-source packages. It needs no connection.
import * as z from 'zod';
import { defineIntegration, tool } from '../../src/kit/integration.ts';
import { readPayload } from '../../src/kit/payload.ts';
import { logo } from './logo.ts';

const API = 'https://api.osv.dev/v1';

export const osv = defineIntegration({
  name: 'osv',
  version: '1.0.0',
  displayName: 'OSV',
  description: 'Known vulnerabilities of open-source packages',
  categories: ['built-in', 'security'],
  logo,
  auth: { type: 'none' },
  tools: [
    tool(
      'osv_query_package',
      'List the known vulnerabilities of a package, of one version or of all, paged by pageToken',
      () => ({
        name: z.string(),
        ecosystem: z.string().describe('Such as npm, PyPI, Go, Maven, crates.io'),
        version: z.string().optional(),
        pageToken: z.string().optional().describe('next_page_token of the answer before'),
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
      'Get one vulnerability by its id',
      () => ({ id: z.string().describe('Such as GHSA-… or CVE-…') }),
      async ({ id }, { fetch }) => readPayload(await fetch(`${API}/vulns/${encodeURIComponent(id)}`)),
    ),
  ],
});
