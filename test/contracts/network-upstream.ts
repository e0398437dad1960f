// Opens the network under test and upstreams on loopback.
import { createServer, type RequestListener } from 'node:http';
import type { Server } from 'node:net';
import { afterAll } from 'vitest';
import { createUndiciNetwork } from '../../drivers/network/undici.ts';
import type { UpstreamRequest, UpstreamResponse } from '../../src/ports/network.ts';
import { listen } from '../support/listen.ts';

export const network = createUndiciNetwork();
const open: Server[] = [];
afterAll(async () => {
  await network.close();
  for (const server of open) server.close();
});

export async function start(server: Server): Promise<number> {
  open.push(server);
  return listen(server);
}

export function serve(listener: (...exchange: Parameters<RequestListener>) => unknown): Promise<number> {
  return start(createServer((request, response) => void listener(request, response)));
}

export function send(url: string, request?: Partial<UpstreamRequest>): Promise<UpstreamResponse> {
  return network.send(requestTo(url, request));
}

export function requestTo(url: string, request: Partial<UpstreamRequest> = {}): UpstreamRequest {
  return {
    method: 'GET',
    url: new URL(url),
    address: '127.0.0.1',
    headers: new Headers(),
    body: null,
    signal: new AbortController().signal,
    ...request,
  };
}

/** Returns what a promise rejects with, or null. */
export function reasonOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => null,
    (error: unknown) => error,
  );
}
