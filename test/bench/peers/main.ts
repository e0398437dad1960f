// npm run bench -- --peers: compares the gateway with its peers over the same 2,000 tools and writes
// test/bench/peers.md.
import { rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { LOAD_TOOL } from '../load.ts';
import type { Row } from '../main.ts';
import { startUpstream } from '../servers.ts';
import { bars } from './bars.ts';
import { TOKEN, TOOL_COUNT } from './catalog.ts';
import { ask } from './conversation.ts';
import { executor } from './executor.ts';
import { gateway } from './gateway.ts';
import { installPeers } from './install.ts';
import { SLOW } from './pace.ts';
import { type Peer, start } from './peer.ts';
import { sdkListing, sdkPeers } from './sdk.ts';
import { markdown } from './table.ts';
import { compare, compareLists } from './works.ts';

const FILE = join(import.meta.dirname, '../peers.md');

export async function peerRows(): Promise<Row[]> {
  const folder = installPeers();
  const upstream = await startUpstream(TOKEN);
  try {
    const ours = await gateway(join(folder, 'gateway'), upstream.url);
    const peers = [ours, ...(await sdkPeers(folder, upstream.url)), await executor(folder, upstream.url)];
    const { rates, others } = await compare(peers);
    const listing = [ours, ...(await sdkListing(folder, await listed(ours)))];
    const rows = bars({ peers: listing, line: await compareLists(listing) }, { peers, line: rates.builtin });
    const table = markdown(peers, [...Object.values(rates), ...others]);
    writeFileSync(FILE, `# Beside the peers\n\n${made()}\n\n${table}\n\n${barTable(rows)}\n`);
    console.log(table);
    return rows;
  } finally {
    await upstream.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the tools that an agent of this gateway sees. */
async function listed(peer: Peer): Promise<object[]> {
  const running = await start(peer);
  try {
    const answer = await ask(running.conversation, { method: 'tools/list', params: {}, proof: /"tools"/ });
    if (!answer.ok) throw new Error(`The gateway does not list its tools: ${answer.why}`);
    const { result }: { result: { tools: object[] } } = JSON.parse(answer.body);
    return result.tools;
  } finally {
    await running.stop();
  }
}

function made(): string {
  const [date] = new Date().toISOString().split('T');
  return [
    `Made by \`npm run bench -- --peers\` on ${date}, Node ${process.versions.node}, ${cpus().length} cores, load by ${LOAD_TOOL}; a server that gives fewer than ${SLOW} answers a second is timed to its last answer instead.`,
    `The SDK’s servers and mcp-proxy run stateless, their fastest way. Behind each the same ${TOOL_COUNT.toLocaleString('en')} tools of the same upstream on loopback; medians of alternating rounds; in brackets how many times this gateway is better, below 1 worse.`,
    'The SDK’s servers and mcp-proxy know no users, keep no credentials and audit nothing; executor serves one person. This gateway checks an API key, opens a sealed credential and writes an audit entry for each call.',
  ].join(' ');
}

function barTable(rows: readonly Row[]): string {
  const lines = rows.map(
    ({ work, measured, bar, holds }) => `| ${work} | ${measured} | ${bar} | ${holds ? 'holds' : 'missed'} |`,
  );
  return ['| Bar | Measured | | |', '|---|---|---|---|', ...lines].join('\n');
}
