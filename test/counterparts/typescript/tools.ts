// The tools of the counterparts, for both generations of the SDK of TypeScript. A program brings what its SDK calls differently.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ROOT } from '../../support/gateway-process.ts';
import { PIXEL } from '../../support/mcp-tools.ts';

/** What a program gives to a tool that runs. */
export interface Running {
  signal: AbortSignal;
  /** Tells one step, when somebody wants to hear it. */
  tell: (step: number) => Promise<void>;
  /** Tells that the tools have changed. */
  tellChanged: () => Promise<void>;
  /** Makes the error that answers the request. */
  refusal: (words: string) => Error;
}

type Args = Record<string, unknown>;

interface Tool {
  name: string;
  description: string;
  inputSchema: { type: 'object'; [keyword: string]: unknown };
  outputSchema?: { type: 'object'; [keyword: string]: unknown };
  annotations?: { readOnlyHint: boolean };
  run: (args: Args, running: Running) => object | Promise<object>;
}

// The test sends what the schemas say, so the arguments are of these types.
interface Order {
  customer: { name: string };
  lines: { count: number; item: string }[];
}

interface Tree {
  value: number;
  children?: Tree[];
}

const NOISE = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';
const INTEGER = { type: 'integer' };
const state = { begun: 0, cancelled: 0 };

const say = (text: string) => ({ content: [{ type: 'text', text }] });
const show = (block: object) => ({ content: [block] });
const tellValue = (value: object) => ({ ...say(JSON.stringify(value)), structuredContent: { ...value } });
const total = ({ value, children = [] }: Tree): number =>
  children.reduce((sum, child) => sum + total(child), value);

function tool(name: string, description: string, properties: object, run: Tool['run'], more = {}): Tool {
  return { name, description, inputSchema: { type: 'object', properties }, run, ...more };
}

const outputOf = (properties: object) => ({ outputSchema: { type: 'object', properties } });

async function wasted(seconds: number, signal: AbortSignal): Promise<object> {
  state.begun += 1;
  try {
    await wait(seconds * 1_000, undefined, { signal });
  } catch (error) {
    state.cancelled += 1;
    throw error;
  }
  return say('waited');
}

/** The version of a package of the SDK. */
function versionOf(name: string): string {
  const file = join(ROOT, 'node_modules/@modelcontextprotocol', name, 'package.json');
  return JSON.parse(readFileSync(file, 'utf8')).version;
}

const TREE = { tree: { $ref: '#/$defs/tree' } };
const TREES = {
  $defs: {
    tree: {
      type: 'object',
      properties: { value: INTEGER, children: { type: 'array', items: { $ref: '#/$defs/tree' } } },
      required: ['value'],
    },
  },
};
const ORDER = {
  order: {
    type: 'object',
    properties: {
      customer: { type: 'object', additionalProperties: { type: 'string' } },
      lines: {
        type: 'array',
        items: { type: 'object', properties: { item: { type: 'string' }, count: INTEGER } },
      },
    },
  },
};

export function makeTools(packageName: string): Tool[] {
  const tools: Tool[] = [
    tool('about', 'Names the version of the SDK', {}, () => say(versionOf(packageName))),
    tool('text', 'Says a word', { word: { type: 'string' }, loud: { type: 'boolean' } }, ({ word }) =>
      say(`said: ${String(word)}`),
    ),
    tool(
      'structured',
      'Adds two integers',
      { a: INTEGER, b: INTEGER },
      ({ a, b }) => tellValue({ sum: Number(a) + Number(b) }),
      outputOf({ sum: INTEGER }),
    ),
    tool('picture', 'Shows a picture', {}, () => show({ type: 'image', data: PIXEL, mimeType: 'image/png' })),
    tool('audio', 'Plays a sound', {}, () => show({ type: 'audio', data: NOISE, mimeType: 'audio/wav' })),
    tool('resource', 'Gives a file', {}, () => {
      const file = { uri: 'test://files/data.bin', blob: 'AAEC', mimeType: 'application/x-data' };
      return show({ type: 'resource', resource: file });
    }),
    tool('tool_error', 'Fails', {}, () => ({ ...say('the disk is full'), isError: true })),
    tool('protocol_error', 'Fails as a request', {}, (_, { refusal }) => {
      throw refusal('the request is refused');
    }),
    tool('progress', 'Tells three steps', { pause: { type: 'number' } }, async ({ pause = 0 }, { tell }) => {
      for (const step of [1, 2, 3]) {
        await wait(Number(pause) * 1_000);
        await tell(step);
      }
      return say('done');
    }),
    tool(
      'slow',
      'Takes its time',
      { seconds: { type: 'number' } },
      ({ seconds }, { signal }) => wasted(Number(seconds), signal),
      // The gateway cancels calls that only read.
      { annotations: { readOnlyHint: true } },
    ),
    tool(
      'seen',
      'Counts the slow calls, and those that were cancelled',
      {},
      () => tellValue(state),
      outputOf({ begun: INTEGER, cancelled: INTEGER }),
    ),
    tool('large', 'Says two megabytes', {}, () => say('x'.repeat(2_000_000))),
    tool('nested', 'Takes an order', ORDER, ({ order }) => {
      const { customer, lines } = order as Order;
      return say(`${customer.name}: ${lines.map(({ count, item }) => `${count} ${item}`).join(', ')}`);
    }),
    {
      ...tool('recursive', 'Adds up a tree', TREE, ({ tree }) => say(`${total(tree as Tree)}`)),
      inputSchema: { type: 'object', properties: TREE, ...TREES },
    },
    tool(
      'pair',
      'Takes a tuple',
      { point: { type: 'array', prefixItems: [INTEGER, INTEGER], minItems: 2, maxItems: 2 } },
      ({ point }) => say((point as number[]).join(' and ')),
    ),
    tool('grow', 'Adds a tool', { name: { type: 'string' } }, async ({ name }, { tellChanged }) => {
      tools.push(tool(String(name), 'Was added later', {}, () => say('new')));
      await tellChanged();
      return say('grown');
    }),
    tool('die', 'Ends the process', {}, () => process.exit(1)),
  ];
  return tools;
}

export const listOf = (tools: readonly Tool[]) => ({ tools: tools.map(({ run: _, ...shown }) => shown) });

export async function runTool(tools: readonly Tool[], name: string, args: Args = {}, running: Running) {
  const found = tools.find((each) => each.name === name);
  if (found === undefined) throw running.refusal(`There is no tool ${name}`);
  return found.run(args, running);
}
