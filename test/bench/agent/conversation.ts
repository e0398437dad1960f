// Plays an agent that calls the gateway's meta-tools over HTTP, and counts what it writes and reads.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

export interface Spent {
  calls: number;
  bytes: number;
  /** Tokens of o200k_base. */
  tokens: number;
}

export interface Agent {
  /** Calls a meta-tool, and returns the text of its answer. */
  call(tool: string, args: object): Promise<string>;
  /** Runs a command line. `run` does what the line would do, and returns what it prints. */
  shell(line: string, run: () => Promise<string>): Promise<string>;
  /** What the agent has spent so far: the names and arguments that it wrote, and the texts that it read. */
  spent: Spent;
  close(): Promise<void>;
}

/** A new conversation. The tools of the handshake cost the same in each, so they are not counted. */
export async function openAgent(base: string, apiKey: string): Promise<Agent> {
  const client = new Client({ name: 'bench', version: '1.0.0' });
  const requestInit = { headers: { 'x-service-api-key': apiKey } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${base}/mcp`), { requestInit }));
  const spent: Spent = { calls: 0, bytes: 0, tokens: 0 };

  function count(written: string, read: string): string {
    spent.calls++;
    for (const text of [written, read]) {
      spent.bytes += Buffer.byteLength(text);
      spent.tokens += countTokens(text);
    }
    return read;
  }

  return {
    spent,
    async call(tool, args) {
      const answer = await client.callTool({ name: tool, arguments: { ...args } });
      return count(`${tool} ${JSON.stringify(args)}`, textOf(answer.content));
    },
    shell: async (line, run) => count(line, await run()),
    close: () => client.close(),
  };
}

function textOf(content: unknown): string {
  const blocks: unknown[] = Array.isArray(content) ? content : [];
  return blocks.map((block) => (isText(block) ? block.text : '')).join('\n');
}

const isText = (block: unknown): block is { text: string } =>
  typeof block === 'object' && block !== null && 'text' in block && typeof block.text === 'string';
