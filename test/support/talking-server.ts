// A local MCP server of the older era, as the text of a program: it talks, stalls, grows and dies when its tools are called.
import { script } from './local-servers.ts';

const SOURCE = `
import { createInterface } from 'node:readline';
const write = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const names = ['echo', 'talk', 'hold', 'free', 'grow', 'die', 'pid'];
const held = [];
const asked = new Map();
const answer = (id, text) => write({ id, result: { content: [{ type: 'text', text: String(text) }] } });
function call(id, { name, arguments: { text = '' } = {} }) {
  switch (name) {
    case 'talk':
      write({ method: 'notifications/message', params: { level: 'error', data: text } });
      write({ method: 'notifications/progress', params: { progressToken: id, progress: 1, message: text } });
      write({ id: 'ask ' + id, method: 'sampling/createMessage', params: { messages: [], maxTokens: 1, text } });
      return void asked.set('ask ' + id, (code) => answer(id, text + ' ' + code));
    case 'hold': return void held.push(id);
    case 'free': for (const each of held.splice(0)) answer(each, 'freed'); break;
    case 'grow':
      names.push(text);
      write({ method: 'notifications/tools/list_changed' });
      break;
    case 'die':
      console.error('Traceback (most recent call last):\\n  in line 1\\ncannot work with ' + text + process.env.KEY + '.');
      return process.exit(1);
    case 'pid': return answer(id, process.pid);
  }
  answer(id, text);
}
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, error } = JSON.parse(line);
  if (asked.has(id)) return void asked.get(id)(error?.code);
  const serverInfo = { name: 'talking', version: '1' };
  if (method === 'initialize')
    write({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo } });
  else if (method === 'tools/list')
    write({ id, result: { tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) } });
  else if (method === 'tools/call') call(id, params);
  else if (id !== undefined) write({ id, error: { code: -32601, message: 'Method not found' } });
});
`;

/** The entry of the operator's file. */
export const talkingServer = (more: object = {}) => script(SOURCE, more);
