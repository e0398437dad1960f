// Compares the curl proxy with nginx's proxy_pass (unbuffered, one worker) and with npm's proxies, on the
// same upstream and bytes.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/listen.ts';
import type { Durability } from './durable-rows.ts';
import { firstByteRatio, startEvents } from './first-byte.ts';
import { ratioOf } from './http.ts';
import type { Shot } from './load.ts';
import type { Row } from './main.ts';
import { installPeers, PEERS, startDurablePeer, startPeer } from './proxy-peers.ts';
import { type Gateway, pinned, startGateway } from './servers.ts';

const SIZES = [
  { name: '1 KiB', file: 'small', bytes: 1024, bar: 0.4 },
  { name: '1 MiB', file: 'large', bytes: 1024 * 1024, bar: 0.9 },
];

/** The first proxy waits for the disk, which `/c` does not; the second does exactly what `/c` does. */
const DURABLE: { durability: Durability; words: string }[] = [
  { durability: 'waiting', words: 'also makes one row durable before each answer' },
  { durability: 'soon', words: 'also writes one row per call soon after, as the gateway does' },
];

export async function proxyRows(): Promise<Row[]> {
  if (spawnSync('nginx', ['-v']).error !== undefined) {
    console.log('left out: the curl proxy, because there is no nginx to compare with (Debian: nginx-light)');
    return [];
  }
  const folder = mkdtempSync(join(tmpdir(), 'bench-nginx-'));
  // nginx switches to its own user, who must be able to read the folder.
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, 'files'));
  for (const { file, bytes } of SIZES) writeFileSync(join(folder, 'files', file), 'x'.repeat(bytes));
  const [upstream, nginx] = [await freePort(), await freePort()];
  const stops = [
    startNginx(folder, 'upstream', 1, upstreamConfig(folder, upstream)),
    startNginx(folder, 'proxy', 0, proxyConfig(nginx, upstream)),
  ];
  const gateway = await startGateway(undefined, {
    UPSTREAM_MAP: `https://api.resend.com=http://127.0.0.1:${upstream}`,
  });
  try {
    const authorization = `Bearer ${await curlToken(gateway)}`;
    const shot = (file: string) => ({ url: `${gateway.url}/c/resend/${file}`, headers: { authorization } });
    const rows: Row[] = [];
    for (const { name, file, bar } of SIZES) {
      const theirs = { url: `http://127.0.0.1:${nginx}/${file}`, headers: {} };
      rows.push(row(`${name} down, against nginx proxy_pass`, await ratioOf(shot(file), theirs), bar));
    }
    return [
      ...rows,
      ...(await peerRows(shot('small'), `http://127.0.0.1:${upstream}`)),
      await firstByteRow(),
    ];
  } finally {
    await gateway.stop();
    for (const stop of stops) stop();
  }
}

function row(work: string, { ratio, ours }: { ratio: number; ours: number }, bar: number | null): Row {
  return {
    work: `Curl proxy, ${work}`,
    measured: `${ratio.toFixed(2)} × (${Math.round(ours)}/s)`,
    bar: bar === null ? null : `≥ ${bar} ×`,
    holds: bar === null || ratio >= bar,
  };
}

async function peerRows(shot: Shot, upstream: string): Promise<Row[]> {
  const folder = installPeers();
  if (folder === null) {
    console.log('left out: npm’s proxies, because the registry cannot be reached');
    return [];
  }
  const rows: Row[] = [];
  for (const { name, version, bar } of PEERS) {
    const against = `1 KiB down, against ${name} ${version}`;
    const peer = await startPeer(name, folder, upstream);
    rows.push(row(against, await ratioOf(shot, { url: `${peer.url}/small`, headers: {} }), null));
    await peer.stop();
    for (const { durability, words } of DURABLE) {
      const durable = await startDurablePeer(name, folder, upstream, durability);
      const ratio = await ratioOf(shot, { url: `${durable.url}/small`, headers: {} });
      await durable.check();
      await durable.stop();
      rows.push(row(`${against} that ${words}`, ratio, bar));
    }
  }
  return rows;
}

async function firstByteRow(): Promise<Row> {
  const events = await startEvents();
  const gateway = await startGateway(undefined, { UPSTREAM_MAP: `https://api.resend.com=${events.url}` });
  const headers = { authorization: `Bearer ${await curlToken(gateway)}` };
  const { ratio, direct } = await firstByteRatio({ url: `${gateway.url}/c/resend/x`, headers }, events.url);
  await gateway.stop();
  events.close();
  return {
    work: 'Curl proxy, time to the first byte of a stream, against direct',
    measured: `${ratio.toFixed(2)} × (direct ${direct.toFixed(1)} ms)`,
    bar: '≤ 1.2 ×',
    holds: ratio <= 1.2,
  };
}

export async function curlToken({ url, apiKey }: Gateway): Promise<string> {
  const headers = { 'x-service-api-key': apiKey, 'content-type': 'application/json' };
  await fetch(`${url}/api/auth/apikey/resend`, {
    method: 'POST',
    headers,
    body: '{"values":{"apiKey":"k"}}',
  });
  const params = { name: 'curl_session', arguments: { integrations: ['resend'] } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const { result } = await (await fetch(`${url}/mcp`, { method: 'POST', headers, body })).json();
  return JSON.parse(result.content[0].text).token;
}

function startNginx(folder: string, name: string, core: number, server: string): () => void {
  const file = join(folder, `${name}.conf`);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((each) => `${each}_temp_path ${folder}/${name}-${each};`)
    .join('\n');
  writeFileSync(
    file,
    `daemon off; worker_processes 1; pid ${folder}/${name}.pid; error_log ${folder}/${name}.log;
events { worker_connections 1024; }
http { access_log off; ${paths} sendfile on; keepalive_requests 1000000; ${server} }`,
  );
  const [command, args] = pinned(core, 'nginx', ['-c', file, '-p', folder]);
  const child = spawn(command, args, { stdio: 'ignore' });
  return () => void child.kill('SIGTERM');
}

function upstreamConfig(folder: string, port: number): string {
  return `server { listen 127.0.0.1:${port}; root ${folder}/files; }`;
}

function proxyConfig(port: number, upstream: number): string {
  return `upstream up { server 127.0.0.1:${upstream}; keepalive 64; }
server { listen 127.0.0.1:${port}; location / { proxy_pass http://up; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_buffering off; } }`;
}
