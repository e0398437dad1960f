// Holds the script of the card. It speaks with its host by postMessage, and has no other way to the world. It reads what the
// calls returned, asks the gateway through the host what has become of it, and opens links. It never decides. SEP-1865
import { CARD_STATE } from './names.ts';

const LOOK_AGAIN_MS = 2_000;
const LOOK_LATER_MS = 5_000;
/** After so many looks the card looks less often. */
const MANY_LOOKS = 30;
const MAX_SHOWN_CHARACTERS = 4_000;

export const CARD_SCRIPT = `
(() => {
'use strict';
const host = window.parent;
const main = document.getElementById('card');
const heard = document.getElementById('heard');
const answers = new Map();
const items = new Map();
let asked = [];
let opensLinks = true;
let looks = 0;
let timer;
let nextId = 1;

const post = (message) => host.postMessage({ jsonrpc: '2.0', ...message }, '*');
const tell = (method, params) => post({ method, params });
const ask = (method, params) =>
  new Promise((resolve, reject) => {
    const id = nextId++;
    answers.set(id, { resolve, reject });
    post({ id, method, params });
  });

addEventListener('message', ({ source, data }) => {
  if (source !== host || data === null || typeof data !== 'object' || data.jsonrpc !== '2.0') return;
  if (typeof data.method !== 'string') {
    const answer = answers.get(data.id);
    answers.delete(data.id);
    if (data.error) answer?.reject(new Error(String(data.error.message)));
    else answer?.resolve(data.result ?? {});
    return;
  }
  const run = messages[data.method];
  if (data.id === undefined) return void run?.(data.params ?? {});
  if (run === undefined) return post({ id: data.id, error: { code: -32601, message: 'Method not found' } });
  run(data.params ?? {});
  post({ id: data.id, result: {} });
});

const messages = {
  ping() {},
  'ui/resource-teardown'() { stop(); },
  'ui/notifications/host-context-changed': dress,
  'ui/notifications/tool-input'({ arguments: args }) {
    asked = listOf(args?.executions);
    if (typeof args?.connectionId === 'string') put({ id: args.connectionId, kind: 'connection' });
    show();
    look();
  },
  'ui/notifications/tool-result': take,
  'ui/notifications/tool-cancelled'() { if (items.size === 0) say('Cancelled.'); },
};

function dress({ theme, styles }) {
  if (theme === 'light' || theme === 'dark') document.documentElement.style.colorScheme = theme;
  const font = styles?.variables?.['--font-sans'];
  if (typeof font === 'string') document.documentElement.style.setProperty('--font-sans', font);
}

const listOf = (value) => (Array.isArray(value) ? value : value !== null && typeof value === 'object' ? [value] : []);
const isLink = (url) => typeof url === 'string' && /^https?:\\/\\//.test(url);

function valueOf(result) {
  const text = listOf(result?.content).find((block) => block?.type === 'text')?.text;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function take(result) {
  const value = valueOf(result);
  if (typeof value?.connectionId === 'string')
    put({ id: value.connectionId, kind: 'connection', url: value.url, isKey: value.error !== undefined });
  const ended = ENDS[value?.status];
  if (ended !== undefined) for (const item of items.values()) item.state = ended;
  const results = listOf(value?.results);
  results.forEach((each, at) => {
    if (typeof each?.approval?.id !== 'string') return;
    put({
      id: each.approval.id,
      kind: 'approval',
      url: each.approval.url,
      integration: each.integration,
      tool: asked[at]?.tool,
      args: asked[at]?.args,
    });
  });
  if (items.size === 0) {
    const failed = results.filter((each) => each?.error !== undefined).length;
    const ran = results.length - failed;
    const counted = [ran > 0 ? ran + ' ran' : '', failed > 0 ? failed + ' did not run' : ''].filter(Boolean).join(', ');
    return say(value?.error !== undefined ? String(value.error) : results.length > 0 ? 'Tools: ' + counted + '.' : 'Done.');
  }
  show();
  look();
}

const ENDS = { CONNECTED: 'done', EXPIRED: 'expired', TIMEOUT: 'expired' };

function put(item) {
  items.set(item.id, { state: 'waiting', ...items.get(item.id), ...item });
}

async function look() {
  clearTimeout(timer);
  const open = [...items.values()].filter(({ state }) => state === 'waiting' || state === 'running');
  if (open.length === 0 || looks === Infinity) return;
  try {
    const value = valueOf(await ask('tools/call', {
      name: '${CARD_STATE}',
      arguments: { ids: open.slice(0, 8).map(({ id }) => id) },
    }));
    for (const each of listOf(value?.items)) if (items.has(each?.id)) put(each);
    show();
  } catch {
    // A host may refuse calls of pages. Then the person tells the agent.
    looks = Infinity;
    return show();
  }
  looks += 1;
  timer = setTimeout(look, looks < ${MANY_LOOKS} ? ${LOOK_AGAIN_MS} : ${LOOK_LATER_MS});
}
function stop() { clearTimeout(timer); }

const make = (tag, properties = {}, ...children) => {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
};

function say(text) {
  main.replaceChildren(make('h1', { className: 'quiet' }, text));
}

let shown = '';
function show() {
  if (items.size === 0) return;
  const text = JSON.stringify([[...items.values()], opensLinks, looks === Infinity]);
  // A list that is drawn again loses the focus, so it is drawn only when it says something new.
  if (text === shown) return;
  shown = text;
  const isOpen = main.querySelector('details')?.open === true;
  const hadFocus = document.activeElement?.id;
  main.replaceChildren(...[...items.values()].map(draw));
  heard.textContent = [...main.querySelectorAll('.state')].map((each) => each.textContent).join(' ');
  if (isOpen) for (const each of main.querySelectorAll('details')) each.open = true;
  if (hadFocus) document.getElementById(hadFocus)?.focus();
}

const STATES = {
  connection: {
    waiting: ['Waiting for you', ''],
    done: ['Connected. Your agent can go on.', 'good'],
    expired: ['This link has ended. Ask your agent for a new one.', 'over'],
  },
  approval: {
    waiting: ['Waiting for your answer', ''],
    approved: ['Approved. Your agent can send the call again.', 'good'],
    running: ['Approved, and running.', 'good'],
    done: ['Approved, and done.', 'good'],
    failed: ['Approved. The call has failed.', 'over'],
    denied: ['Denied. The call does not run.', 'over'],
    expired: ['This question has ended without an answer.', 'over'],
  },
};

function draw(item, at) {
  const isConnection = item.kind === 'connection';
  const name = item.title ?? item.integration ?? 'the service';
  const who = item.by ?? 'Your agent';
  const [words, look] = STATES[item.kind][item.state] ?? ['The gateway does not know this any more.', 'over'];
  const node = make('article', {}, make(at === 0 ? 'h1' : 'h2', {}, isConnection
    ? who + ' asks you to connect ' + name
    : who + ' wants to run ' + (item.tool ?? 'a tool')));
  const facts = isConnection
    ? [item.isKey ? 'Only you enter the key, on the page of the gateway.' : '']
    : [name, item.account ? 'account ' + item.account : '', item.does ?? ''];
  const line = facts.filter(Boolean).join(' · ');
  if (line !== '') node.append(make('p', { className: 'soft' }, line));
  node.append(make('p', { className: 'state ' + look }, words));
  if (item.reason) node.append(make('p', {}, '“' + item.reason + '”'));
  if (item.state !== 'waiting') return node;
  if (isLink(item.url)) node.append(linkTo(item, isConnection ? 'Connect ' + name : 'Look at the question'));
  if (item.args !== undefined) {
    const args = JSON.stringify(item.args, null, 2).slice(0, ${MAX_SHOWN_CHARACTERS});
    node.append(make('details', {}, make('summary', {}, 'What it sends'), make('pre', { tabIndex: 0 }, args)));
  }
  node.append(make('p', { className: 'soft' }, looks === Infinity
    ? 'Tell your agent when you are done.'
    : 'You ' + (isConnection ? 'connect' : 'decide') + ' on that page, never here. This card follows by itself.'));
  return node;
}

function linkTo(item, words) {
  if (!opensLinks) return make('p', { className: 'link' }, item.url);
  const button = make('button', { type: 'button', id: 'open-' + item.id }, words);
  button.addEventListener('click', () =>
    ask('ui/open-link', { url: item.url })
      .then((result) => { if (result.isError) throw new Error('refused'); })
      .catch(() => { opensLinks = false; show(); }));
  return button;
}

new ResizeObserver(() => {
  const { width, height } = document.documentElement.getBoundingClientRect();
  tell('ui/notifications/size-changed', { width: Math.ceil(width), height: Math.ceil(height) });
}).observe(document.documentElement);

ask('ui/initialize', {
  appInfo: { name: 'tool-gateway', version: '1.0.0' },
  appCapabilities: { availableDisplayModes: ['inline'] },
  protocolVersion: '2026-01-26',
}).then(({ hostContext = {}, hostCapabilities = {} }) => {
  dress(hostContext);
  opensLinks = hostCapabilities.openLinks !== undefined;
  if (hostCapabilities.serverTools === undefined) looks = Infinity;
  tell('ui/notifications/initialized', {});
});
})();
`;
