// Lets suites that know one account run where the person has three. Beside each account that a test connects there are two
// others. The account under test is the default, so calls need not name it. When the application closes, the others must be
// as they were, and none of their secrets may have been sent anywhere. reference: Several accounts
import { channel } from 'node:diagnostics_channel';
import { isDeepStrictEqual } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import type { NewConnection } from '../../src/connections/model/vault.ts';
import type { Deps } from '../../src/deps.ts';
import type { ConnectionChange } from '../../src/kit/connection-change.ts';
import type { Feature } from '../../src/kit/feature.ts';
import type { Network } from '../../src/ports/network.ts';
import { type Connection, FIRST_ACCOUNT } from '../../src/ports/records.ts';

/** The label of the account that the suite has connected. */
const TESTED = 'the tested account';
const OTHERS = ['other-1', 'other-2'];
const SECRET = 'secret-of-another-account';
/** The daily check leaves the others alone until then. */
const NEVER = 9_999_999_999;

let isOn = false;
const leaks: string[] = [];
/** How many others the suites have got. */
let added = 0;

const noteLeak = (where: string, text: string): void => {
  if (text.includes(SECRET)) leaks.push(where);
};

export interface Suite {
  name: string;
  load: () => Promise<unknown>;
  /** The tests that hold for the only account of a person, and why. */
  only?: Readonly<Record<string, string>>;
}

/** Runs the tests of other files where the person has three accounts. */
export function describeWithOthers(suites: readonly Suite[]): void {
  useOtherAccounts();
  describe.each(suites)('with two other accounts, $name', async ({ load, only = {} }) => {
    beforeEach(({ task, skip }) => skip(task.name in only, only[task.name]));
    await load();
  });
  it('gave others to the suites', () => expect(added).toBeGreaterThan(suites.length));
}

/** All applications that are opened after this call have other accounts. */
function useOtherAccounts(): void {
  isOn = true;
  // The curl proxy does not send through the network port, so the requests are read where they arrive.
  channel('http.server.request.start').subscribe((message) => {
    const { request } = message as { request: { url: string; rawHeaders: string[] } };
    noteLeak(request.url, [request.url, ...request.rawHeaders].join('\n'));
  });
}

/** Reads everything that the core sends. */
export function watchNetwork(network: Network): Network {
  if (!isOn) return network;
  return {
    ...network,
    send(request) {
      const { url, headers, body } = request;
      const sent = body instanceof Uint8Array ? new TextDecoder().decode(body) : '';
      noteLeak(url.href, `${url.href}\n${JSON.stringify([...headers])}\n${sent}`);
      return network.send(request);
    },
  };
}

type Needs = Pick<Deps, 'store' | 'vault'>;

export interface OtherAccounts {
  /** What the gateway has beside its own features. */
  features: readonly Feature<Deps>[];
  /** What is stored from now on is the tested account. */
  begin(deps: Needs): void;
  /** Names the tested account where a request means all of them. */
  path(path: string, method: string | undefined): string;
  /** Leaves out what names the tested account: nothing else of an answer may differ. */
  response(response: Response): Promise<Response>;
  /** Throws when another account was changed or used. */
  check(): Promise<void>;
}

const NONE: OtherAccounts = {
  features: [],
  begin: () => {},
  path: (path) => path,
  response: async (response) => response,
  check: async () => {},
};

export function createOtherAccounts(): OtherAccounts {
  if (!isOn) return NONE;
  const kept: Connection[] = [];

  async function addBeside(tested: Connection, { store, vault }: Needs): Promise<void> {
    for (const account of OTHERS) {
      const row = await otherThan(tested, account, vault);
      if ((await store.connections.add(row, OTHERS.length + 1)) !== 'added')
        throw new Error(`${account} was not added`);
      kept.push(row);
      added += 1;
    }
  }

  const feature = {
    name: 'other accounts',
    connectionChanged:
      (deps: Needs) =>
      async ({ kind, userId, integration }: ConnectionChange) => {
        if (kind !== 'saved') return;
        const { connections } = deps.store;
        const rows = await connections.of(userId, integration);
        const tested = rows.find(({ account }) => account === FIRST_ACCOUNT);
        if (tested === undefined) return;
        if (rows.length === 1) await addBeside(tested, deps);
        for (const use of ['reads', 'writes'] as const) await connections.setDefault(tested, use, true);
      },
  } satisfies Feature;

  let connectionsOf: Needs['store']['connections'];

  return {
    features: [feature],

    begin({ store, vault }) {
      connectionsOf = store.connections;
      nameTested(vault);
    },

    path(path, method) {
      const name = /^\/api\/connections\/([\w-]+)(?:\/check)?(?=\?|$)/.exec(path)?.[1];
      const isMeant =
        (method === 'DELETE' || method === 'POST') && kept.some((row) => row.integration === name);
      if (!isMeant) return path;
      return `${path}${path.includes('?') ? '&' : '?'}account=${encodeURIComponent(TESTED)}`;
    },

    async response(response) {
      if (response.headers.get('content-type')?.includes('json') !== true) return response;
      const text = await response.clone().text();
      const rest = withoutLabel(text);
      return rest === text ? response : new Response(rest, response);
    },

    async check() {
      const changed: string[] = [];
      for (const row of kept) {
        const now = await connectionsOf.get(row.user_id, row.integration, row.account);
        if (!isDeepStrictEqual(now, row)) changed.push(`${row.integration} ${row.account}`);
      }
      const used = leaks.splice(0);
      if (changed.length > 0) throw new Error(`other accounts were changed: ${changed.join(', ')}`);
      if (used.length > 0) throw new Error(`the secret of another account was sent to ${used.join(', ')}`);
    },
  };
}

/** What a suite stores is the tested account, unless it names another one. */
function nameTested(vault: Deps['vault']): void {
  const { save, replace } = vault;
  const named = (connection: NewConnection): NewConnection => ({
    ...connection,
    account: connection.account ?? TESTED,
    newAccount: connection.newAccount ?? FIRST_ACCOUNT,
  });
  vault.save = (user, integration, connection) => save(user, integration, named(connection));
  vault.replace = (seen, user, integration, connection) =>
    replace(seen, user, integration, named(connection));
}

/** An older account with a credential of the same form, so that nothing but a right choice tells the two apart. */
async function otherThan(tested: Connection, account: string, vault: Deps['vault']): Promise<Connection> {
  const row: Connection = {
    ...tested,
    account,
    label: `Label of ${account}`,
    account_id: `${account}-id`,
    account_label: `${account}@corp.example`,
    created_at: tested.created_at - 1,
    status: 'ok',
    cause: null,
    checked_at: NEVER,
    is_default: false,
    is_write_default: false,
    team_use: null,
  };
  for (const column of ['access_token', 'refresh_token', 'cookies'] as const) {
    const text = await vault.open(tested, column);
    row[column] = text === null ? null : await vault.seal(secretLike(text), row, column);
  }
  return row;
}

/** Keeps the form of several fields and of cookies. */
const secretLike = (text: string): string =>
  text.startsWith('{')
    ? text.replaceAll(/"(?!v"|cookies")(\w+)":"[^"]*"/g, (field, key: string) =>
        ['name', 'domain', 'path', 'sameSite'].includes(key) ? field : `"${key}":"${SECRET}"`,
      )
    : SECRET;

/** Reads the label also where the JSON is a text inside of JSON, as over MCP. */
function withoutLabel(text: string): string {
  const label = JSON.stringify(`,"account":"${TESTED}"`).slice(1, -1);
  return text
    .replaceAll(label, '')
    .replaceAll(`,"account":"${TESTED}"`, '')
    .replaceAll(/,"accounts":\[\{"id":[^\]]*\]/g, '');
}
