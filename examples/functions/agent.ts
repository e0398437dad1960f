// An agent without a framework: the tools of a set as functions for Chat Completions, and each call as one POST.
import { mcpUrl, readVariables } from '../variables.ts';

interface Call {
  id: string;
  function: { name: string; arguments: string };
}
interface Message {
  content: string | null;
  tool_calls?: Call[];
}

const { GATEWAY_KEY, OPENAI_API_KEY, OPENAI_MODEL } = readVariables(
  'GATEWAY_KEY',
  'OPENAI_API_KEY',
  'OPENAI_MODEL',
);
const [set = 'triage', task = 'What is open?'] = process.argv.slice(2);
const openai = process.env['OPENAI_BASE_URL'] ?? 'https://api.openai.com/v1';
const MAX_TURNS = 20;

/** Sends JSON to the gateway. A refused call has an answer, which the model reads. */
async function ask(path: string, body?: string): Promise<string> {
  const headers = { 'x-service-api-key': GATEWAY_KEY, 'content-type': 'application/json' };
  const response = await fetch(
    new URL(path, mcpUrl),
    body === undefined ? { headers } : { method: 'POST', headers, body },
  );
  if (body === undefined && !response.ok) throw new Error(`The gateway answered ${response.status}`);
  return response.text();
}

const { functions } = JSON.parse(await ask(`/api/sets/${set}/functions?for=openai`));
const messages: object[] = [{ role: 'user', content: task }];
for (let turn = 0; turn < MAX_TURNS; turn++) {
  const response = await fetch(`${openai}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${OPENAI_API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: OPENAI_MODEL, messages, tools: functions }),
  });
  if (!response.ok) throw new Error(`The model answered ${response.status}: ${await response.text()}`);
  const { choices } = (await response.json()) as { choices: { message: Message }[] };
  const message = choices[0]?.message;
  if (message === undefined) throw new Error('The model has said nothing');
  messages.push(message);
  if (message.tool_calls === undefined || message.tool_calls.length === 0) {
    console.log(message.content);
    break;
  }
  for (const { id, function: called } of message.tool_calls) {
    const content = await ask(`/sets/${set}/tools/${called.name}`, called.arguments);
    messages.push({ role: 'tool', tool_call_id: id, content });
  }
}
