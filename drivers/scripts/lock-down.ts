// Takes away from the thread what its own code does not use, for the case that a script gets out of WebAssembly.

const UNUSED = [
  'BroadcastChannel',
  'Buffer',
  'CustomEvent',
  'EventSource',
  'Navigator',
  'Request',
  'Response',
  'SharedArrayBuffer',
  'WebSocket',
  'Worker',
  'clearImmediate',
  'clearInterval',
  'clearTimeout',
  'console',
  'crypto',
  'fetch',
  'global',
  'localStorage',
  'navigator',
  'process',
  'require',
  'sessionStorage',
  'setImmediate',
  'setInterval',
  'setTimeout',
];

export function lockDown(): void {
  for (const name of UNUSED) Reflect.deleteProperty(globalThis, name);
}
