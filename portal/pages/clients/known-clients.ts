// Lists the clients that people connect, how each can authenticate, and its lines with a key inside.
import { connectClientTexts } from '../../texts/connect-client.ts';
import { texts } from '../../texts/texts.ts';
import * as recipes from './recipes.ts';

const { lines } = connectClientTexts;
const { clients } = texts;

export interface KnownClient {
  key: string;
  label: string;
  /** Where the line goes. */
  place: string;
  line: (origin: string, key: string, set?: string) => string;
  /** `browser` signs in only, `key` takes only a key, `both` does either. */
  /** Adds it with one click. */
  link?: (origin: string, key: string, set?: string) => string;
  auth: 'both' | 'browser' | 'key';
}

const curlLine = (origin: string, key: string, set?: string): string =>
  set === undefined ? recipes.firstCallCurl(origin, key) : recipes.functionsCurl(origin, key, set);

export const KNOWN_CLIENTS: readonly KnownClient[] = [
  {
    key: 'claude-code',
    label: clients.claudeCode.name,
    place: lines.terminal,
    line: recipes.claudeCode,
    auth: 'both',
  },
  { key: 'claude', label: 'Claude', place: clients.address, line: recipes.mcpAddress, auth: 'browser' },
  {
    key: 'cursor',
    label: clients.cursor.name,
    place: lines.file('~/.cursor/mcp.json'),
    line: recipes.cursorFile,
    link: recipes.cursorLink,
    auth: 'both',
  },
  {
    key: 'vs-code',
    label: clients.vsCode.name,
    place: lines.terminal,
    line: recipes.vsCodeLine,
    link: recipes.vsCodeLink,
    auth: 'both',
  },
  {
    key: 'codex',
    label: 'Codex',
    place: lines.file('~/.codex/config.toml'),
    line: recipes.codexFile,
    auth: 'key',
  },
  {
    key: 'windsurf',
    label: 'Windsurf',
    place: lines.file('~/.codeium/windsurf/mcp_config.json'),
    line: recipes.windsurfFile,
    auth: 'key',
  },
  {
    key: 'zed',
    label: 'Zed',
    place: lines.file('~/.config/zed/settings.json'),
    line: recipes.zedFile,
    auth: 'key',
  },
  {
    key: 'chatgpt',
    label: clients.chatGpt.name,
    place: clients.address,
    line: recipes.mcpAddress,
    auth: 'browser',
  },
  { key: 'gemini', label: 'Gemini CLI', place: lines.terminal, line: recipes.geminiLine, auth: 'key' },
  { key: 'n8n', label: 'n8n', place: lines.file('MCP Client Tool'), line: recipes.n8nFields, auth: 'key' },
  { key: 'python', label: 'Python', place: lines.script, line: recipes.pythonScript, auth: 'key' },
  { key: 'curl', label: clients.curl.name, place: clients.curl.call, line: curlLine, auth: 'key' },
];
