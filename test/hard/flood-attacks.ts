// What one greedy person can send that is small to write and large to work on. Each request is prepared before the attack
// is measured, because the bystanders call from this process too.
import { startHttpServer } from '../support/http-server.ts';
import { createImportUser } from '../support/import-user.ts';
import { done } from '../support/jots.ts';
import { makeKey, setRules } from '../support/policy.ts';
import { type Script, startScripted } from '../support/scripted-mcp.ts';
import type { Started } from './stand.ts';

type Headers = Record<string, string>;

export interface Attack {
  what: string;
  /** Sends the next request. Several are under way at once. */
  request: () => Promise<Response>;
  /** The statuses that the gateway may answer. */
  statuses: readonly string[];
}

export interface Attacks {
  attacks: readonly Attack[];
  close(): Promise<void>;
}

const TINY_VALUES = 5_200_000;
// A little less than the gateway allows, because other values surround these. reference: Limits
const MOST_DOCUMENT_VALUES = 299_000;
const MOST_ANSWER_VALUES = 999_000;

export const YAML_OF_15_MIB = `openapi: 3.0.0\nx: [${'{a},'.repeat(3_900_000)}]\n`;

const NAMES = 1_900;
const EXECUTIONS = 8;
const SORTS = 4;

const ASKING_KEYS = 9;
const QUESTION_CHARACTERS = 255_000;

const TOOLS = 1_900;
const PARAMETERS = 20;
const PARAMETER_CHARACTERS = 310;

/** The gateway counts both marks of each item, the comma and the brace. So it does with a dash and a line break in YAML. */
const list = (values: number): string => `[${'{},'.repeat(values / 2)}{}]`;

/** The greedy person is the owner of the gateway. */
export async function prepareAttacks(gateway: Started): Promise<Attacks> {
  const sessionHeader = { authorization: `Bearer ${gateway.session}` };
  const keyHeader = { 'x-service-api-key': gateway.apiKey };
  const owner = { sessionHeader, keyHeader };

  function prepare(method: string, path: string, body: object, headers: Headers = sessionHeader) {
    const init = {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(body)),
    };
    return () => gateway.request(path, init);
  }
  const call = (integration: string, body: object, headers?: Headers) =>
    prepare('POST', `/rest/${integration}`, body, headers);

  function describe(what: string, document: string, status: string): Attack {
    return { what, request: prepare('POST', '/api/imports/preview', { document }), statuses: [status] };
  }
  const descriptions = [
    describe('YAML of 15 MiB in one line', YAML_OF_15_MIB, '413'),
    describe('YAML of 15 MiB in lines', `openapi: 3.0.0\nx:\n${'- a\n'.repeat(3_900_000)}`, '413'),
    describe('JSON of 15 MiB', `{"openapi":"3.0.0","x":[${'{},'.repeat(TINY_VALUES)}{}]}`, '413'),
    describe(
      'YAML of as many values as may be',
      `openapi: 3.0.0\npaths: {}\nx:\n${'- a\n'.repeat(MOST_DOCUMENT_VALUES / 2)}`,
      '422',
    ),
    describe(
      'JSON of as many values as may be',
      `{"openapi":"3.0.0","paths":{},"x":${list(MOST_DOCUMENT_VALUES)}}`,
      '422',
    ),
  ];

  const folder = `${'p'.repeat(200)}/`.repeat(4);
  await done(gateway, owner, 'deploy_jot', {
    name: 'names',
    files: Array.from({ length: NAMES }, (_, index) => ({
      path: index === 0 ? 'index.html' : `${folder}${'p'.repeat(150)}${index}`,
      content: 'x',
    })),
  });
  const reader = await makeKey(gateway, owner, { access: 'read' });
  const select = `[${Array.from({ length: SORTS }, () => 'sort_by(files,&path)[0].size').join()}]`;
  const execution = { tool: 'get_jot', args: { name: 'names' }, select };
  const sorting: Attack = {
    what: `batches of ${EXECUTIONS} selections with ${SORTS} sort_by each`,
    request: call('jots', { executions: Array.from({ length: EXECUTIONS }, () => execution) }, reader.header),
    statuses: ['200'],
  };

  const answers = await startAnswers();
  const importer = createImportUser(gateway, owner);
  await importer.add({ name: 'speaking', address: answers.mcpAddress });
  await importer.add({ name: 'described', document: answers.description });
  answers.begin();
  const tool = (integration: string, name: string) => call(integration, { tool: name, args: {} });
  const answering: Attack[] = [
    {
      what: 'answers of an MCP server, 15 MiB of tiny values',
      request: tool('speaking', 'speaking_tool'),
      statuses: ['502'],
    },
    {
      what: 'listings of an MCP server, 15 MiB of tiny values',
      request: prepare('POST', '/api/imports/speaking/check', {}),
      statuses: ['409', '502'],
    },
    {
      what: 'answers of a service, 15 MiB of tiny values',
      request: tool('described', 'described_get_many'),
      statuses: ['502'],
    },
    {
      what: 'answers of a service, as many values as may be',
      request: tool('described', 'described_get_most'),
      statuses: ['200', '502'],
    },
  ];

  await importer.add({
    name: 'large',
    document: describeLarge('http://127.0.0.1:9'),
    exclude: ['large_get_0'],
  });
  let turns = 0;
  const changes = [prepare('PATCH', '/api/imports/large', { exclude: [] })];
  changes.push(prepare('PATCH', '/api/imports/large', { exclude: ['large_get_0'] }));
  const lists = [
    () => gateway.request('/api/imports', { headers: sessionHeader }),
    () => gateway.request('/rest', { headers: keyHeader }),
  ];
  const layers: Attack = {
    what: 'lists and changes of an import of 14 MiB',
    request() {
      turns++;
      const from = turns % 2 === 0 ? lists : changes;
      const next = from[(turns >> 1) % 2];
      if (next === undefined) throw new Error('there are two of each');
      return next();
    },
    statuses: ['200', '409'],
  };

  const askers = await Promise.all(Array.from({ length: ASKING_KEYS }, () => makeKey(gateway, owner)));
  await setRules(gateway, owner, [{ tool: 'deploy_jot', decision: 'ask' }]);
  let asked = 0;
  const asking: Attack = {
    what: `questions of ${QUESTION_CHARACTERS / 1_000} KB by ${ASKING_KEYS} keys`,
    request() {
      asked++;
      const headers = askers[asked % ASKING_KEYS]?.header ?? {};
      const files = [{ path: 'index.html', content: 'x'.repeat(QUESTION_CHARACTERS) }];
      return call('jots', { tool: 'deploy_jot', args: { name: `asked-${asked}`, files } }, headers)();
    },
    statuses: ['403', '409'],
  };

  return { attacks: [...descriptions, sorting, ...answering, layers, asking], close: answers.close };
}

/** An MCP server and a service whose answers become large when they begin to. */
async function startAnswers() {
  const many = Buffer.from(`[${'{},'.repeat(TINY_VALUES)}{}]`);
  const most = Buffer.from(list(MOST_ANSWER_VALUES));
  const service = await startHttpServer(({ url }, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(url === '/many' ? many : most);
  });
  const server = await startScripted();
  return {
    mcpAddress: server.address,
    description: JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Described', version: '1' },
      servers: [{ url: `http://127.0.0.1:${service.port}` }],
      paths: Object.fromEntries(
        ['many', 'most'].map((name) => [`/${name}`, { get: { operationId: `get_${name}` } }]),
      ),
    }),
    begin() {
      const flood: Script[string] = ({ message: { id }, response }) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[],"tools":[],"x":`);
        response.write(many);
        response.end('}}');
      };
      server.play({ 'tools/call': flood, 'tools/list': flood });
    },
    async close() {
      await service.close();
      await server.close();
    },
  };
}

/** A description of 14 MiB, which becomes as many tools. */
export function describeLarge(origin: string): string {
  const description = 'd'.repeat(PARAMETER_CHARACTERS);
  const parameters = Array.from({ length: PARAMETERS }, (_, index) => ({
    name: `p${index}`,
    in: 'query',
    description,
    schema: { type: 'string' },
  }));
  const paths = Array.from({ length: TOOLS }, (_, index) => [
    `/${index}`,
    { get: { operationId: `get_${index}`, parameters } },
  ]);
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Large', version: '1' },
    servers: [{ url: origin }],
    paths: Object.fromEntries(paths),
  });
}
