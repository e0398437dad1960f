// Runs executor with an OpenAPI document of the synthetic upstream, connected with the token and allowed
// without approval.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../support/listen.ts';
import { ARGUMENTS, CALLED, openApi, PROOF, TOKEN } from './catalog.ts';
import { type Ask, postJson } from './conversation.ts';
import { VERSIONS } from './install.ts';
import type { Peer } from './peer.ts';

// executor derives this name from the operation.
const CALLED_PATH = 'tools.synthetic.user.bench.synthetic7.synthetic7UpdateItem7';

export async function executor(folder: string, upstream: string): Promise<Peer> {
  const port = await freePort();
  const home = join(folder, 'executor-home');
  mkdirSync(home);
  const { owner, item, ...body } = ARGUMENTS;
  const api = `http://127.0.0.1:${port}/api`;
  return {
    name: 'executor',
    version: VERSIONS.executor,
    url: `http://127.0.0.1:${port}/mcp`,
    credentials: {},
    command: [
      join(folder, `node_modules/executor-${process.platform}-${process.arch}/bin/executor`),
      ['web', '--port', String(port), '--scope', home],
    ],
    env: { HOME: home, EXECUTOR_DATA_DIR: join(home, 'data') },
    log: join(folder, 'executor.log'),
    asks: {
      list: { method: 'tools/list', params: {}, proof: /"execute"/ },
      search: code(
        `return await tools.search({ query: ${JSON.stringify(CALLED.query)}, limit: 12 })`,
        /UpdateItem7/,
      ),
      call: code(`return await ${CALLED_PATH}(${JSON.stringify({ owner, item, body })})`, new RegExp(PROOF)),
      builtin: code('return new Date().toISOString()', /\d{4}-\d\d-\d\dT/),
    },
    async prepare() {
      const integration = 'synthetic';
      const spec = { kind: 'blob', value: JSON.stringify(openApi(upstream)) };
      await postJson(`${api}/openapi/specs`, { spec, slug: integration });
      const connection = { owner: 'user', name: 'bench', integration, template: 'apikey-0', value: TOKEN };
      await postJson(`${api}/connections`, connection);
      // Without this policy executor asks a person before each PATCH.
      await postJson(`${api}/policies`, { owner: 'user', pattern: `${integration}.*`, action: 'approve' });
    },
  };
}

function code(text: string, proof: RegExp): Ask {
  return { method: 'tools/call', params: { name: 'execute', arguments: { code: text } }, proof };
}
