// Runs a real nginx with the example from docs/deploy, before gateways on ports of this machine.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWith } from './describe-with.ts';
import { ROOT, runProgram } from './gateway-process.ts';
import { freePort } from './listen.ts';
import { waitUntil } from './wait.ts';

const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

export function describeNginx(name: string, body: () => void): void {
  const found = spawnSync('nginx', ['-v']).error === undefined;
  describeWith(name, found ? undefined : 'nginx is not installed (apt-get install nginx-light)', body);
}

interface Tls {
  port: number;
  certificate: string;
  key: string;
}

export async function startNginx(
  ports: readonly number[],
  port?: number,
  tls?: Tls,
): Promise<{ base: string; stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'nginx-'));
  const own = port ?? (await freePort());
  const example = await readFile(join(ROOT, 'docs/deploy/nginx.conf'), 'utf8');
  const places = TEMPORARY.map((what) => `${what}_temp_path ${folder}/${what};`).join(' ');
  const configuration = example
    .replace(/gateway-(\d):3000/g, (_, at: string) => `127.0.0.1:${ports[Number(at) - 1]}`)
    .replace('listen 80;', `listen 127.0.0.1:${own};`)
    .replace('/etc/nginx/tls/', `${folder}/tls/`)
    .replace(
      'worker_processes auto;',
      `worker_processes 1; daemon off; pid ${folder}/pid; error_log ${folder}/log;`,
    )
    .replace('http {', `http { ${places}`);
  await writeFile(join(folder, 'nginx.conf'), configuration);
  if (tls !== undefined) await writeTls(join(folder, 'tls'), tls);
  const program = runProgram(['nginx', '-e', `${folder}/log`, '-c', join(folder, 'nginx.conf')], {});
  const base = `http://127.0.0.1:${own}`;
  await Promise.race([answers(base), failed(program.exited, program.output)]);
  return {
    base,
    async stop() {
      program.signal('SIGTERM');
      await program.exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function writeTls(folder: string, { port, certificate, key }: Tls): Promise<void> {
  await mkdir(folder);
  const places = { 'certificate.pem': certificate, 'key.pem': key };
  for (const [name, text] of Object.entries(places)) await writeFile(join(folder, name), text);
  const example = await readFile(join(ROOT, 'docs/deploy/nginx-tls.conf'), 'utf8');
  const configuration = example
    .replace('listen 443 ', `listen 127.0.0.1:${port} `)
    .replace('/run/secrets/tls_certificate', `${folder}/certificate.pem`)
    .replace('/run/secrets/tls_key', `${folder}/key.pem`);
  await writeFile(join(folder, 'nginx-tls.conf'), configuration);
}

async function answers(base: string): Promise<void> {
  let failure: unknown;
  const isUp = () =>
    fetch(base, { redirect: 'manual' }).then(Boolean, (error: unknown) => {
      failure = error;
      return false;
    });
  await waitUntil(`an answer of nginx at ${base}`, isUp, () => failure);
}

async function failed(exited: Promise<unknown>, output: { stderr: string }): Promise<never> {
  await exited;
  throw new Error(`nginx: ${output.stderr}`);
}
