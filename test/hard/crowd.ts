// People who call a gateway on and on and check every answer: that it is theirs and right, and that it was recorded.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Person, Running, World } from '../contracts/app/world.ts';
import { startHttpServer } from '../support/http-server.ts';
import { call, rpc } from '../support/mcp.ts';
import { CALLBACK, registered, token } from '../support/oauth-client.ts';
import { pause } from './private-services.ts';

const BETWEEN_REFRESHES_MS = 1_000;
/** Without it a call that fails at once would repeat in a tight loop. */
const AFTER_A_CUT_MS = 20;
const RENEW_LENT_MS = 50 * 60_000;
const MOST_SHOWN = 5;

export interface Product {
  /** UPSTREAM_MAP for a gateway of the world whose mail integration calls this product. */
  upstreamMap: string;
  close(): Promise<void>;
}

interface Lent {
  headers: Record<string, string>;
  renewAt: number;
}

export interface Member extends Person {
  name: string;
  curl: Lent;
  client: string;
  refreshToken: string;
}

export interface Tally {
  /** The right answers of each kind. */
  answered: Map<string, number>;
  /** The requests whose connection ended before an answer, of which nginx says 502 where it can. */
  cut: Map<string, number>;
  wrong: number;
  /** The first wrong answers. */
  examples: string[];
}

export interface Recorded {
  kind: string;
  /** When the answer was there. */
  at: number;
}

export interface Crowd {
  tally: Tally;
  /** The answered requests that must have a row in the audit log, by their ids. */
  recorded: Map<string, Recorded>;
  stop(): Promise<void>;
}

/** An API whose answer says whose key called it, and where. */
export async function openProduct(world: World): Promise<Product> {
  const server = await startHttpServer((request, response) => void serve(request, response));
  return {
    upstreamMap:
      world.env['UPSTREAM_MAP']?.replace(
        /(https:\/\/api\.resend\.com)=[^,]*/,
        `$1=http://127.0.0.1:${server.port}`,
      ) ?? '',
    close: () => server.close(),
  };
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  for await (const _ of request);
  const [, owner = 'nobody'] = /^Bearer key-of-(\w+)$/.exec(request.headers.authorization ?? '') ?? [];
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ said: sentence(owner, request.url ?? '') }));
}

const sentence = (owner: string, path: string) => `${owner} asked for ${path}.`;

/** Signs a person in, in the portal and as an application, and connects the product. */
export async function admit(world: World, gateway: Running, name: string): Promise<Member> {
  const person = await world.person(gateway, name);
  const connected = await gateway.request('/api/auth/apikey/resend', {
    method: 'POST',
    headers: { ...person.session, 'content-type': 'application/json' },
    body: JSON.stringify({ values: { apiKey: `key-of-${name}` } }),
  });
  if (!connected.ok) throw new Error(`connecting: ${connected.status} ${await connected.text()}`);
  const client = await registered(gateway);
  const code = await world.authorize(gateway, name, client);
  const fields = { code, client_id: client, redirect_uri: CALLBACK, code_verifier: 'v'.repeat(43) };
  const given = await token(gateway, { grant_type: 'authorization_code', ...fields });
  return {
    ...person,
    name,
    curl: await borrow(gateway, person.key),
    client,
    refreshToken: given.body.refresh_token,
  };
}

/** A token for /c lives for an hour at most. */
async function borrow(gateway: Running, key: Record<string, string>): Promise<Lent> {
  const args = { integrations: ['resend'], ttlSeconds: 3_600 };
  const lent = await call(gateway, key, 'curl_session', args);
  return { headers: { authorization: `Bearer ${lent.token}` }, renewAt: performance.now() + RENEW_LENT_MS };
}

const refreshOf = ({ refreshToken, client }: Member): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams({
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    client_id: client,
  }),
});

/** Keeps the new refresh token, and returns the header with the access token. */
function readTokens(member: Member, text: string): { authorization: string } {
  const given: { access_token: string; refresh_token: string } = JSON.parse(text);
  member.refreshToken = given.refresh_token;
  return { authorization: `Bearer ${given.access_token}` };
}

/** Whether the application of this person still gets tokens. */
export async function renewOnce(gateway: Running, member: Member): Promise<boolean> {
  const response = await gateway.request('/token', refreshOf(member));
  if (response.status !== 200) return false;
  const { body } = await rpc(gateway, readTokens(member, await response.text()), 'tools/list');
  return body.result !== undefined;
}

interface Options {
  /** Resolves when the next call may begin. */
  turn?: () => Promise<void>;
  /** Whether to keep the ids of answered requests. */
  record?: boolean;
}

type Outcome = { text: string } | 'cut' | 'wrong';

/** Everybody calls through five doors at the same time, and an application of theirs renews its token. */
export function startCrowd(
  gateway: Running,
  members: readonly Member[],
  { turn = async () => {}, record = true }: Options = {},
): Crowd {
  const tally: Tally = { answered: new Map(), cut: new Map(), wrong: 0, examples: [] };
  const recorded: Crowd['recorded'] = new Map();
  let over = false;
  let count = 0;

  function note(kind: string, what: string): void {
    tally.wrong++;
    if (tally.examples.length < MOST_SHOWN) tally.examples.push(`${kind}: ${what.slice(0, 300)}`);
  }

  async function ask(
    kind: string,
    path: string,
    init: RequestInit,
    isRight: (text: string) => boolean,
    isRecorded = true,
  ): Promise<Outcome> {
    const id = randomUUID();
    const add = (counts: Map<string, number>) => void counts.set(kind, (counts.get(kind) ?? 0) + 1);
    let answer: { status: number; text: string; isOfNginx: boolean };
    try {
      const headers = new Headers(init.headers);
      headers.set('x-request-id', id);
      const response = await gateway.request(path, { ...init, headers });
      const text = await response.text();
      answer = { status: response.status, text, isOfNginx: text.includes('<center>nginx') };
    } catch {
      add(tally.cut);
      return 'cut';
    }
    const { status, text, isOfNginx } = answer;
    if (status === 502 && isOfNginx) {
      add(tally.cut);
      return 'cut';
    }
    if (status !== 200 || !isRight(text)) {
      note(kind, `${status} ${text}`);
      return 'wrong';
    }
    add(tally.answered);
    if (record && isRecorded) recorded.set(id, { kind, at: performance.now() });
    return { text };
  }

  const json = (headers: Record<string, string>, body: object): RequestInit => ({
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

  async function callMcp(
    { name, key }: Member,
    headers: Record<string, string> = key,
    kind = 'MCP',
  ): Promise<Outcome> {
    const id = ++count;
    const path = `/mine/${id}`;
    const executions = [{ tool: 'resend_request', args: { method: 'GET', path } }];
    const params = { name: 'execute_tools', arguments: { executions } };
    return ask(
      kind,
      '/mcp',
      json(headers, { jsonrpc: '2.0', id, method: 'tools/call', params }),
      (text) => text.includes(sentence(name, path)) && JSON.parse(text).id === id,
    );
  }

  async function callRest({ name, key }: Member): Promise<Outcome> {
    const path = `/mine/${++count}`;
    const body = { tool: 'resend_request', args: { method: 'GET', path } };
    return ask('REST', '/rest/resend', json(key, body), (text) => text.includes(sentence(name, path)));
  }

  async function callRaw(member: Member): Promise<Outcome> {
    const { name, key } = member;
    const path = `/mine/${++count}`;
    if (performance.now() > member.curl.renewAt)
      member.curl = await borrow(gateway, key).catch(() => member.curl);
    const { headers } = member.curl;
    return ask('/c', `/c/resend${path}`, { headers }, (text) => text.includes(sentence(name, path)));
  }

  async function look({ email, session }: Member): Promise<Outcome> {
    const isRight = (text: string) => JSON.parse(text).email === email;
    return ask('portal', '/api/auth/me', { headers: session }, isRight, false);
  }

  /** Publishes the next content of one's page. A cut publish may have happened or not. */
  function publisher({ name, key }: Member): () => Promise<Outcome> {
    let acknowledged = -1;
    let tried = -1;
    return async () => {
      const next = ++tried;
      const files = [{ path: 'index.html', content: `<p>${name} ${next}</p>` }];
      const args = { name: `page-of-${name}`, files };
      const published = await ask('jots', '/rest/jots', json(key, { tool: 'deploy_jot', args }), (text) =>
        text.includes(`page-of-${name}`),
      );
      if (typeof published === 'object') acknowledged = next;
      if (acknowledged < 0) return published;
      const isRight = (text: string) => {
        const [, whose, shown] = /^<p>(\w+) (\d+)<\/p>$/.exec(text) ?? [];
        return whose === name && Number(shown) >= acknowledged && Number(shown) <= tried;
      };
      return ask('pages', `/j/page-of-${name}/`, {}, isRight, false);
    };
  }

  /** A client whose answer was cut repeats the refresh with the token that it has. */
  async function renew(member: Member): Promise<Outcome> {
    await pause(BETWEEN_REFRESHES_MS);
    const isRight = (text: string) => text.includes('"refresh_token"');
    const renewed = await ask('refresh', '/token', refreshOf(member), isRight, false);
    if (typeof renewed !== 'object') return renewed;
    const headers = readTokens(member, renewed.text);
    return callMcp(member, headers, 'application');
  }

  async function goOn(work: () => Promise<Outcome>): Promise<void> {
    while (!over) {
      await turn();
      if ((await work()) === 'cut') await pause(AFTER_A_CUT_MS);
    }
  }

  const running = members.flatMap((member) =>
    [
      () => callMcp(member),
      () => callRest(member),
      () => callRaw(member),
      () => look(member),
      publisher(member),
      () => renew(member),
    ].map(goOn),
  );
  return {
    tally,
    recorded,
    async stop() {
      over = true;
      await Promise.all(running);
    },
  };
}

const sum = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((all, one) => all + one, 0);

export const answersOf = ({ answered }: Tally): number => sum(answered);
export const cutsOf = ({ cut }: Tally): number => sum(cut);
