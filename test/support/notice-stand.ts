// A gateway with a person who is told outside the portal, and a receiver of what is sent.
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { ChannelForm, NewChannel, ShownDelivery } from '../../src/notices/operations.ts';
import type { Notice } from '../../src/kit/notice.ts';
import { type HttpServer, startHttpServer } from './http-server.ts';
import { createTestApp, type Options, type TestApp, type TestUser } from './test-app.ts';
import { waitUntil } from './wait.ts';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface Receiver {
  url: string;
  got: Received[];
  /** Answers from now on; the default is 204. */
  answers(listener: (response: ServerResponse, received: Received) => void): void;
  /** Waits until it has got so many requests. */
  until(count: number): Promise<void>;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const got: Received[] = [];
  let answer = (response: ServerResponse, _: Received): void => void response.writeHead(204).end();
  const server: HttpServer = await startHttpServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const received = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) };
      got.push(received);
      answer(response, received);
    });
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    got,
    answers: (listener) => (answer = listener),
    until: (count) =>
      waitUntil(
        `request ${count}`,
        () => got.length >= count,
        () => got.map(({ path, body }) => `${path} ${body.toString('latin1')}`),
      ),
    close: () => server.close(),
  };
}

export interface NoticeStand {
  app: TestApp;
  ana: TestUser;
  receiver: Receiver;
  send(method: string, path: string, body?: unknown, user?: Pick<TestUser, 'id'>): Promise<Response>;
  add(form: ChannelForm, user?: TestUser): Promise<NewChannel>;
  /** Publishes a notice as a feature does. */
  tell(notice?: Partial<Notice>): Promise<void>;
  deliveries(user?: TestUser): Promise<ShownDelivery[]>;
  /** Waits until all deliveries of the person are in these states, the newest first. */
  untilStates(states: readonly ShownDelivery['state'][]): Promise<ShownDelivery[]>;
  /** Sends what is due, as the next round of the maintenance does. */
  round(): Promise<void>;
  close(): Promise<void>;
}

export async function openNotices(options: Options = {}): Promise<NoticeStand> {
  const receiver = await startReceiver();
  const app = await createTestApp({ now: Math.floor(Date.now() / 1_000), ...options });
  const ana = await app.user();
  let count = 0;

  /** Signs in anew: in some tests days pass. */
  async function send(method: string, path: string, body?: unknown, { id }: Pick<TestUser, 'id'> = ana) {
    const user = await app.deps.store.users.byId(id);
    if (user === null) throw new Error('the person is gone');
    const authorization = `Bearer ${await app.deps.sessions.issue(user)}`;
    return app.request(path, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }
  async function deliveries(user = ana): Promise<ShownDelivery[]> {
    const answer = await send('GET', '/api/notices/deliveries', undefined, user);
    return (await answer.json()).deliveries;
  }
  return {
    app,
    ana,
    receiver,
    send,
    async add(form, user) {
      const answer = await send('POST', '/api/notices/channels', form, user);
      if (answer.status !== 201) throw new Error(`no channel: ${answer.status} ${await answer.text()}`);
      return answer.json();
    },
    tell: (notice = {}) =>
      app.deps.notify({
        kind: 'approval',
        userId: ana.id,
        about: `approval ${count++}`,
        page: '/approvals/1',
        name: 'github',
        ...notice,
      }),
    deliveries,
    async untilStates(states) {
      let seen: ShownDelivery[] = [];
      await waitUntil(
        states.join(),
        async () => (seen = await deliveries()).map(({ state }) => state).join() === states.join(),
        () => seen,
      );
      return seen;
    },
    round: () => app.deps.outboxSender.round(),
    async close() {
      await app.close();
      await receiver.close();
    },
  };
}
