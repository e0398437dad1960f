// The tools of the MCP servers of the tests, in a form that both generations of the SDK serve.

export interface TestTool {
  name: string;
  description: string;
  inputSchema: { type: 'object'; properties?: Record<string, { type: string }>; required?: string[] };
  outputSchema?: { type: 'object'; properties: Record<string, { type: string }>; required?: string[] };
  annotations?: { readOnlyHint?: boolean; destructiveHint?: boolean };
  run(args: Record<string, unknown>): Record<string, unknown>;
}

const text = (value: string) => ({ content: [{ type: 'text', text: value }] });
const nothing = { type: 'object' as const, properties: {} };

/** One transparent pixel. */
export const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export const TEST_TOOLS: readonly TestTool[] = [
  {
    name: 'echo',
    description: 'Says the same again',
    inputSchema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
    annotations: { readOnlyHint: true },
    // A process may have a word of its own.
    run: ({ message }) => text(`${process.env['ECHO_WORD'] ?? 'Echo'}: ${String(message)}`),
  },
  {
    name: 'add',
    description: 'Adds two numbers',
    inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
    outputSchema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
    run: ({ a, b }) => ({ ...text('a sum'), structuredContent: { sum: Number(a) + Number(b) } }),
  },
  {
    name: 'fail',
    description: 'Fails',
    inputSchema: nothing,
    annotations: { destructiveHint: true },
    run: () => ({ ...text('the disk is full'), isError: true }),
  },
  {
    name: 'picture',
    description: 'Returns a picture',
    inputSchema: nothing,
    run: () => ({ content: [{ type: 'image', data: PIXEL, mimeType: 'image/png' }] }),
  },
  {
    name: 'report',
    description: 'Returns blocks of several kinds',
    inputSchema: nothing,
    run: () => ({
      content: [
        { type: 'text', text: 'See the files' },
        { type: 'image', data: PIXEL, mimeType: 'image/png' },
        {
          type: 'resource',
          resource: { uri: 'test://files/data.bin', blob: 'AAEC', mimeType: 'application/x-data' },
        },
        { type: 'resource_link', uri: 'test://files/other', name: 'other' },
      ],
    }),
  },
];

export const listed = () => ({
  tools: TEST_TOOLS.map(({ run: _, ...tool }) => tool),
});

export function run(name: string, args: Record<string, unknown> = {}): Record<string, unknown> {
  const tool = TEST_TOOLS.find((each) => each.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}`);
  return tool.run(args);
}
