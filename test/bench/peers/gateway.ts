// Runs this gateway as a bundle with the synthetic integrations, all connected to an upstream on loopback.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../support/listen.ts';
import { seed } from '../servers.ts';
import { bundleGrown } from '../tools.ts';
import { ARGUMENTS, CALLED, DECLARED_ORIGIN, INTEGRATIONS, PROOF, TOKEN } from './catalog.ts';
import { type Ask, postJson } from './conversation.ts';
import type { Peer } from './peer.ts';
import manifest from '../../../package.json' with { type: 'json' };

export async function gateway(home: string, upstream: string): Promise<Peer> {
  const port = await freePort();
  mkdirSync(home);
  const env = { PORT: String(port), DATA_DIR: home, UPSTREAM_MAP: `${DECLARED_ORIGIN}=${upstream}` };
  const { apiKey } = seed(env);
  const credentials = { 'x-service-api-key': apiKey };
  return {
    name: 'This gateway',
    version: manifest.version,
    url: `http://localhost:${port}/mcp`,
    credentials,
    command: [process.execPath, [await bundleGrown()]],
    env,
    log: join(home, 'log'),
    asks: {
      list: { method: 'tools/list', params: {}, proof: /"execute_tools"/ },
      search: metaTool('search_tools', { query: CALLED.query }, new RegExp(CALLED.tool)),
      call: metaTool(
        'execute_tools',
        { executions: [{ tool: CALLED.tool, args: ARGUMENTS }] },
        new RegExp(PROOF),
      ),
      builtin: metaTool(
        'execute_tools',
        { executions: [{ tool: 'time_now', args: {} }] },
        /\d{4}-\d\d-\d\dT/,
      ),
    },
    async prepare() {
      for (const name of INTEGRATIONS) {
        const address = `http://localhost:${port}/api/auth/apikey/${name}`;
        await postJson(address, { values: { token: TOKEN } }, credentials);
      }
    },
  };
}

function metaTool(name: string, args: object, proof: RegExp): Ask {
  return { method: 'tools/call', params: { name, arguments: args }, proof };
}
