// Starts three processes on one database, beside a service that takes their e-mails: for tests of what runs exactly once.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSqlStore } from '../../drivers/sql/store.ts';
import type { Store } from '../../src/ports/store.ts';
import { openAt } from '../contracts/store/open-at.ts';
import { type Gateway, openSite, type Site } from './gateway-process.ts';
import { startHttpServer } from './http-server.ts';
import { createPostgresSchema, describeService, postgresUrl } from './services.ts';
import { waitUntil } from './wait.ts';

export const PROCESSES = 3;
/** The tool that sends an e-mail. */
export const TOOL = 'resend_send_email';

interface Place {
  url: string;
  remove(): Promise<void>;
}
/** Makes the database of a site. */
export type MakePlace = (site: Site) => Promise<Place>;

export interface MailProcesses {
  store: Store;
  userId: string;
  /** They carry the person's key. */
  headers: Record<string, string>;
  /** They carry the person's portal session. */
  session: Record<string, string>;
  gateways: Gateway[];
  at(index: number): Gateway;
  /** Starts a process in the place of one that has ended. */
  replace(index: number): Promise<void>;
  /** The subjects of the e-mails and the addresses of the contacts that have reached the service, with its own keys, in order. */
  sent: readonly { subject: string; key: unknown }[];
  sentWith(subject: string): readonly unknown[];
  /** The paths that were read at the service, in order. */
  read: readonly string[];
  waitForUpstream(subject: string): Promise<void>;
  /** The requests that the service has not answered: those about an e-mail or a contact whose name begins with "slow". */
  held: ServerResponse[];
  close(): Promise<void>;
}

export const email = (subject: string) => ({ from: 'a@b.example', to: ['c@d.example'], subject });

export async function openMailProcesses(makePlace: MakePlace): Promise<MailProcesses> {
  const sent: { subject: string; key: unknown }[] = [];
  const read: string[] = [];
  const held: ServerResponse[] = [];
  const sentWith = (subject: string) => sent.filter((each) => each.subject === subject);

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    response.setHeader('content-type', 'application/json');
    const { method, url = '' } = request;
    const { subject: given, email: address } = method === 'POST' ? JSON.parse(body) : {};
    const subject = String(given ?? address ?? '');
    if (method === 'POST') sent.push({ subject, key: request.headers['idempotency-key'] });
    else read.push(url);
    if (subject.startsWith('slow') || url.includes('/slow')) held.push(response);
    else response.end('{"id":"1"}');
  }

  const upstream = await startHttpServer((request, response) => void serve(request, response));
  const site = await openSite();
  const place = await makePlace(site);
  const env = {
    DATABASE_URL: place.url,
    PENDING_STORE: 'database',
    SERVER_PUBLIC_URL: 'http://localhost:3000',
    UPSTREAM_MAP: `https://api.resend.com=http://127.0.0.1:${upstream.port}`,
  };
  const seeded = await site.seed(['--email', 'ana@example.com', '--json'], env);
  const { apiKey, session: token } = JSON.parse(seeded.stdout);
  const session = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const headers = { 'x-service-api-key': apiKey, 'content-type': 'application/json' };
  const gateways = await Promise.all(Array.from({ length: PROCESSES }, () => site.start({ env })));
  const store = createSqlStore(openAt(place.url));
  const userId = (await store.users.byEmail('ana@example.com'))?.id ?? '';

  function at(index: number): Gateway {
    const gateway = gateways[index % gateways.length];
    if (gateway === undefined) throw new Error('there is no such process');
    return gateway;
  }

  const body = JSON.stringify({ values: { apiKey: 're_1' } });
  const connected = await at(0).request('/api/auth/apikey/resend', { method: 'POST', headers, body });
  const { success } = await connected.json();
  if (success !== true) throw new Error('the e-mails could not be connected');

  return {
    store,
    userId,
    headers,
    session,
    gateways,
    at,
    async replace(index) {
      gateways[index] = await site.start({ env });
    },
    sent,
    sentWith,
    read,
    waitForUpstream: (subject) =>
      waitUntil(
        'the call at the upstream',
        () => sentWith(subject).length > 0,
        () => sent,
      ),
    held,
    async close() {
      for (const response of held) response.end('{}');
      await store.close();
      await site.close();
      await place.remove();
      await upstream.close();
    },
  };
}

/** Runs the tests on SQLite, and on PostgreSQL where there is one. */
export async function onEachDatabase(
  what: string,
  describeOn: (name: string, makePlace: MakePlace) => void,
): Promise<void> {
  describeOn('SQLite', async ({ dataDir }) => ({
    url: `sqlite:${dataDir}/service.db`,
    remove: async () => {},
  }));
  await describeService(what, postgresUrl(), () =>
    describeOn('PostgreSQL', async () => {
      const { url, drop } = await createPostgresSchema();
      return { url, remove: drop };
    }),
  );
}
