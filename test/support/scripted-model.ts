// A model server with the chat completions API of OpenAI whose model follows a script. It refuses a request that the script
// does not expect, so that the program under test fails too.
import { startHttpServer } from './http-server.ts';

interface Message {
  role: string;
  content: unknown;
}

/** What the model was sent: the names of the tools, and the texts of the system's and of the last message. */
interface Turn {
  tools: readonly string[];
  system: string;
  last: string;
}

/** Calls a tool, or says the last word. */
type Move = { call: string; args: object } | { say: string };
export type Script = readonly ((turn: Turn) => Move)[];

export interface ScriptedModel {
  /** The variables that point a program at this model. */
  env: Record<string, string>;
  /** Returns how many moves the model has made, and the first problem that it saw. */
  state(): { moves: number; problem: string | null };
  close(): Promise<void>;
}

const MODEL = 'scripted';

export async function startScriptedModel(script: Script): Promise<ScriptedModel> {
  let moves = 0;
  let problem: string | null = null;

  function answer(path: string | undefined, body: string): object {
    const move = script[moves];
    if (path !== '/v1/chat/completions' || move === undefined)
      throw new Error(`unexpected request to ${path}`);
    const { model, messages, tools } = JSON.parse(body) as {
      model: string;
      messages: readonly Message[];
      tools: readonly { function: { name: string } }[];
    };
    if (model !== MODEL) throw new Error(`the model is ${model}`);
    const made = move({
      tools: tools.map((tool) => tool.function.name),
      system: readText(messages.find(({ role }) => role === 'system')?.content),
      last: readText(messages.at(-1)?.content),
    });
    moves += 1;
    return describe(made, moves);
  }

  const server = await startHttpServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      response.setHeader('content-type', 'application/json');
      try {
        response.end(JSON.stringify(answer(request.url, body)));
      } catch (error) {
        problem ??= error instanceof Error ? error.message : String(error);
        response.statusCode = 400;
        response.end(JSON.stringify({ error: { message: problem, type: 'invalid_request_error' } }));
      }
    });
  });

  return {
    env: {
      OPENAI_BASE_URL: `http://127.0.0.1:${server.port}/v1`,
      OPENAI_API_KEY: 'scripted',
      OPENAI_MODEL: MODEL,
    },
    state: () => ({ moves, problem }),
    close: () => server.close(),
  };
}

/** Reads a text or a list of blocks. The AI SDK sends the blocks of a tool result as JSON. */
function readText(content: unknown): string {
  if (Array.isArray(content)) return content.map(({ text }: { text?: string }) => text ?? '').join('');
  const text = String(content);
  return text.startsWith('[{"type":"text"') ? readText(JSON.parse(text)) : text;
}

function describe(move: Move, count: number): object {
  const message =
    'say' in move
      ? { role: 'assistant', content: move.say }
      : {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: `call_${count}`,
              type: 'function',
              function: { name: move.call, arguments: JSON.stringify(move.args) },
            },
          ],
        };
  return {
    id: `chatcmpl-${count}`,
    object: 'chat.completion',
    created: 1,
    model: MODEL,
    choices: [{ index: 0, message, finish_reason: 'say' in move ? 'stop' : 'tool_calls' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}
