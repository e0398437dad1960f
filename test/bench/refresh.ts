// Measures refresh grants per second, where each response's token is used in the next request, compared with
// the bare framework and oidc-provider.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSqlStore } from '../../drivers/sql/store.ts';
import { openSqlite } from '../../drivers/sql/sqlite.ts';
import { CONNECTIONS, LOAD_TOOL, wrkPerSecond } from './load.ts';
import { putToken } from '../contracts/store/records.ts';
import type { Row } from './main.ts';
import { median } from './median.ts';
import { BENCH_EMAIL, type Gateway, startBare, startGateway, startOidcPeer } from './servers.ts';

const ROUNDS = 5;
const SECONDS = 3;
const CLIENT = 'bench';
// wrk uses one token before it begins, and loses the tokens in flight when it ends.
const CHAINS = CONNECTIONS + 8;

export async function refreshRows(): Promise<Row[]> {
  if (LOAD_TOOL !== 'wrk') {
    process.stderr.write('SKIPPED refresh grants: only wrk can chain tokens\n');
    return [];
  }
  const gateway = await startGateway();
  const store = createSqlStore(openSqlite(join(gateway.dataDir, 'service.db')));
  // `create` returns the existing person that `seed` made.
  const { id } = await store.users.create({ id: randomUUID(), email: BENCH_EMAIL, created_at: 0 });

  async function gatewayTokens(): Promise<string[]> {
    const tokens = Array.from({ length: CHAINS }, () => randomBytes(32).toString('hex'));
    const now = Math.floor(Date.now() / 1000);
    for (const token of tokens) {
      await putToken(store, {
        token_hash: createHash('sha256').update(token).digest('hex'),
        family: randomBytes(16).toString('hex'),
        client_id: CLIENT,
        user_id: id,
        scope: 'mcp',
        created_at: now,
        expires_at: now + 86_400,
        resource: null,
      });
    }
    return tokens;
  }

  const ours = async () => grantsPerSecond(`${gateway.url}/token`, await gatewayTokens());
  const peers = async () => {
    const peer = await startOidcPeer(CHAINS);
    try {
      return await grantsPerSecond(`${peer.url}/token`, peer.tokens);
    } finally {
      await peer.stop();
    }
  };
  const bare = await startBare(await sampleAnswer(gateway, await gatewayTokens()));
  const bares = () =>
    grantsPerSecond(
      bare.url,
      Array.from({ length: CHAINS }, () => 'x'),
    );
  try {
    // The first rounds warm up and do not count.
    await ours();
    await bares();
    const measured = { ours: [] as number[], toBare: [] as number[], toPeer: [] as number[] };
    for (let round = 0; round < ROUNDS; round++) {
      const our = await ours();
      measured.ours.push(our);
      measured.toBare.push(our / (await bares()));
      measured.toPeer.push(our / (await peers()));
    }
    const perSecond = `${Math.round(median(measured.ours))}/s`;
    return [
      row('the bare framework', median(measured.toBare), perSecond, 0.25),
      row(`oidc-provider ${peerVersion()} in memory`, median(measured.toPeer), perSecond, 3),
    ];
  } finally {
    await Promise.all([bare.stop(), gateway.stop(), store.close()]);
  }
}

function row(peer: string, ratio: number, perSecond: string, bar: number): Row {
  return {
    work: `Refresh grant, SQLite, durable, against ${peer}`,
    measured: `${ratio.toFixed(2)} × (${perSecond})`,
    bar: `≥ ${bar} ×`,
    holds: ratio >= bar,
  };
}

async function sampleAnswer({ url }: Gateway, [token = '']: string[]): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'refresh_token', client_id: CLIENT, refresh_token: token });
  const answer = await fetch(`${url}/token`, { method: 'POST', body });
  if (!answer.ok) throw new Error(`no refresh grant: ${answer.status} ${await answer.text()}`);
  const file = join(mkdtempSync(join(tmpdir(), 'bench-')), 'answer');
  writeFileSync(file, await answer.text());
  return file;
}

function grantsPerSecond(url: string, tokens: readonly string[]): Promise<number> {
  return wrkPerSecond(
    url,
    `wrk.method = "POST"
wrk.headers["content-type"] = "application/x-www-form-urlencoded"
local tokens = {${tokens.map((token) => `"${token}"`).join(',')}}
request = function()
  local token = table.remove(tokens) or "none left"
  return wrk.format(nil, nil, nil, "grant_type=refresh_token&client_id=${CLIENT}&refresh_token=" .. token)
end
response = function(status, headers, body)
  tokens[#tokens + 1] = string.match(body, '"refresh_token":"([^"]+)"')
end
`,
    SECONDS,
  );
}

function peerVersion(): string {
  const file = new URL('../../node_modules/oidc-provider/package.json', import.meta.url);
  const { version }: { version: string } = JSON.parse(readFileSync(file, 'utf8'));
  return version;
}
