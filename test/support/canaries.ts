// Listeners on every address of this machine that nobody may reach, and a page that tries every way to them.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { listen } from './listen.ts';

export interface Canaries {
  port: number;
  /** The connections and packets so far. */
  hits: string[];
  /** Origins that lead to the listeners, with the addresses written in every possible way. */
  origins: string[];
  close(): Promise<void>;
}

export async function startCanaries(): Promise<Canaries> {
  const hits: string[] = [];
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    hits.push(`connection at ${socket.localAddress}`);
    sockets.add(socket);
    socket.on('error', () => {});
    socket.end(
      'HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
    );
  });
  server.listen(0, '::');
  await once(server, 'listening');
  // A server that listens on TCP has this kind of address.
  const { port } = server.address() as AddressInfo;
  const packets = createSocket('udp6', () => hits.push('packet'));
  packets.bind(port, '::');
  await once(packets, 'listening');
  const own = Object.values(networkInterfaces())
    .flatMap((found) => found ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address);
  const hosts = [
    '127.0.0.1',
    'localhost',
    '[::1]',
    '0.0.0.0',
    '[::]',
    '[::ffff:127.0.0.1]',
    '2130706433',
    '0x7f.1',
    'evil.test',
    'mixed.test',
    ...own,
  ];
  return {
    port,
    hits,
    origins: hosts.map((host) => `http://${host}:${port}`),
    async close() {
      for (const socket of sockets) socket.destroy();
      packets.close();
      server.close();
      await once(server, 'close');
    },
  };
}

export interface TryingSite {
  port: number;
  /** Resolves with the report of the page at /try. */
  tried: Promise<string>;
  close(): void;
}

/**
 * Starts a site with a page that tries the origins, a page that redirects, and a page whose button opens a
 * window.
 */
export async function startTryingSite(origins: readonly string[]): Promise<TryingSite> {
  const tried = Promise.withResolvers<string>();
  const server: Server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site');
    if (pathname === '/redirect')
      return void response.writeHead(302, { Location: searchParams.get('to') ?? '' }).end();
    if (pathname === '/tried') tried.resolve(searchParams.get('how') ?? '');
    response.setHeader('Content-Type', 'text/html');
    const opener = `<button style="position:absolute;left:0;top:0;width:200px;height:200px" onclick="window.open('${searchParams.get('to')}')">`;
    response.end(
      pathname === '/open'
        ? opener
        : pathname === '/try'
          ? `<script>(${tryAll})(${JSON.stringify(origins)})</script>`
          : '',
    );
  });
  const port = await listen(server);
  return {
    port,
    tried: tried.promise,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

// This code runs in the page.
const tryAll = `async (origins) => {
  const settled = (element, url) => new Promise((resolve) => {
    element.onload = () => resolve('loaded'); element.onerror = () => resolve('failed');
    if (element.localName === 'link') element.href = url; else element.src = url;
    document.documentElement.append(element);
    if (element.rel === 'preconnect' || element.rel === 'dns-prefetch') resolve('asked');
  });
  const make = (name, more) => Object.assign(document.createElement(name), more);
  const ways = (url) => [
    fetch(url, { mode: 'no-cors' }), fetch(url, { method: 'POST', mode: 'no-cors', body: 'x' }),
    fetch('/redirect?to=' + encodeURIComponent(url), { mode: 'no-cors' }),
    settled(make('img'), url), settled(make('iframe'), url), settled(make('script'), url),
    settled(make('link', { rel: 'stylesheet' }), url), settled(make('link', { rel: 'preconnect' }), url),
    settled(make('link', { rel: 'dns-prefetch' }), url), settled(make('link', { rel: 'prefetch' }), url),
    new Promise((resolve) => { const socket = new WebSocket(url.replace('http', 'ws')); socket.onclose = resolve; socket.onopen = () => socket.close(); }),
    new Promise((resolve) => { const source = new EventSource(url); source.onerror = () => { source.close(); resolve(); }; }),
    navigator.sendBeacon(url, 'x'),
    new Promise((resolve) => {
      const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:' + new URL(url).host }] });
      peer.createDataChannel('x'); peer.onicegatheringstatechange = () => peer.iceGatheringState === 'complete' && resolve();
      peer.createOffer().then((offer) => peer.setLocalDescription(offer)); setTimeout(resolve, 5000);
    }),
  ];
  // An attempt that never reports a result still counts as tried.
  const most = (work) => Promise.race([work, new Promise((resolve) => setTimeout(resolve, 8000))]);
  const all = await Promise.allSettled(origins.flatMap((origin) => ways(origin + '/canary').map(most)));
  await fetch('/tried?how=' + all.length);
}`;
