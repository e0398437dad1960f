// The code that runs inside the sandbox before the script. It keeps every function that it uses, because a script may replace all of them.

import { MAX_HANDED_CHARACTERS } from './limits.ts';

export const PRELUDE_FILE = 'gateway.js';
export const SCRIPT_FILE = 'script.js';

/**
 * Evaluates to a function that takes the doors of the host and returns what the host calls. The script reaches neither. Objects
 * without a prototype and descriptors without a prototype cannot be changed through `Object.prototype`.
 */
export const PRELUDE = String.raw`
(function (hostCall, hostLog, hostSelect, hostReturned, hostThrew, parallel, logLimit, chance) {
  'use strict';
  const { Error, JSON, Map, Math, Object, Promise, Proxy, Reflect, Set, String, TypeError, globalThis: world } =
    globalThis;
  const { parse, stringify } = JSON;
  const { apply, defineProperty, deleteProperty, getPrototypeOf } = Reflect;
  const { create } = Object;
  const slice = String.prototype.slice;
  const promiseProto = Promise.prototype;
  const mapProto = Map.prototype;
  const setProto = Set.prototype;
  const errorProto = Error.prototype;

  const define = (target, key, value, enumerable) =>
    defineProperty(target, key, { __proto__: null, value, writable: true, enumerable, configurable: true });
  const cut = (text, length) => apply(slice, text, [0, length]);
  const stackOf = (error) => {
    try {
      const { stack } = error;
      return typeof stack === 'string' ? cut(stack, 10000) : '';
    } catch {
      return '';
    }
  };

  // Calls. Those that have no place yet wait here, where their memory is the script's.
  const waiting = create(null);
  const queue = create(null);
  let first = 0;
  let next = 0;
  let made = 0;
  let active = 0;
  let closed = false;
  const dispatch = () => {
    while (active < parallel && first < next) {
      const one = queue[first];
      delete queue[first++];
      active++;
      waiting[one.index] = one;
      hostCall(one.index, one.name, one.args, one.options, one.stack);
    }
  };
  const callTool = (name, args, options) => {
    // Made here, so that it names the line of the call.
    const error = new Error('');
    const text = args === undefined ? '{}' : stringify(args);
    const optionText = options === undefined ? null : stringify(options);
    if (typeof text !== 'string' || typeof optionText === 'undefined')
      throw new TypeError('tools.' + name + ' takes an object of arguments');
    if (text.length + (optionText === null ? 0 : optionText.length) > ${MAX_HANDED_CHARACTERS})
      throw new TypeError('tools.' + name + ' takes arguments of at most ${MAX_HANDED_CHARACTERS} characters');
    return new Promise((resolve, reject) => {
      if (closed) return;
      const stack = stackOf(error);
      queue[next++] = { __proto__: null, index: made++, name, args: text, options: optionText, stack, resolve, reject, error };
      dispatch();
    });
  };
  const settle = (index, ok, payload, code, status) => {
    const { resolve, reject, error } = waiting[index];
    delete waiting[index];
    active--;
    dispatch();
    if (ok) resolve(parse(payload));
    else reject(failureOf(error, payload, code, status));
  };
  const failureOf = (error, message, code, status) => {
    define(error, 'message', message, false);
    define(error, 'code', code, true);
    define(error, 'status', status, true);
    return error;
  };

  // A name that is not a tool: JavaScript itself asks for these.
  const isNoTool = (key) =>
    typeof key !== 'string' ||
    key === 'then' ||
    key === 'toJSON' ||
    key === 'toString' ||
    key === 'valueOf' ||
    key === 'constructor' ||
    key === 'prototype' ||
    key === '__proto__';
  const refuse = () => {
    throw new TypeError('tools cannot be changed');
  };
  const handlerOf = (get) => ({
    __proto__: null,
    get: (target, key) => (isNoTool(key) ? undefined : get(key)),
    has: (target, key) => !isNoTool(key),
    set: refuse,
    defineProperty: refuse,
    deleteProperty: refuse,
    setPrototypeOf: refuse,
  });
  const toolOf = (name) => {
    // An arrow function has no prototype property, which a proxy would have to show.
    const call = (args, options) => callTool(name, args, options);
    return new Proxy(call, handlerOf((key) => toolOf(name + '.' + key)));
  };
  const tools = new Proxy(create(null), handlerOf(toolOf));

  const select = (value, expression) => {
    const error = new Error('');
    const text = stringify(value);
    if (text !== undefined && text.length > ${MAX_HANDED_CHARACTERS})
      throw new TypeError('select takes a value of at most ${MAX_HANDED_CHARACTERS} characters');
    const answer = parse(hostSelect(text === undefined ? 'null' : text, String(expression)));
    if (answer.ok) return parse(answer.json);
    throw failureOf(error, answer.message, answer.code, answer.status);
  };

  // The log.
  let left = logLimit;
  const shown = (value) => {
    if (typeof value === 'string') return value;
    try {
      if (typeof value === 'object' && value !== null) {
        if (isError(value)) return String(value);
        const text = stringify(value);
        if (typeof text === 'string') return text;
      }
      if (typeof value === 'bigint') return String(value) + 'n';
      return String(value);
    } catch {
      return '[a value that cannot be shown]';
    }
  };
  const isError = (value) => {
    for (let each = value, steps = 0; each !== null && steps < 100; each = getPrototypeOf(each), steps++)
      if (each === errorProto) return true;
    return false;
  };
  const writer = (mark) => (...values) => {
    let line = mark;
    for (let index = 0; index < values.length && left > 0; index++)
      line += (index === 0 ? '' : ' ') + cut(shown(values[index]), left + 1);
    if (left <= 0) return;
    line += '\n';
    left -= line.length;
    if (left <= 0) line = cut(line, line.length + left) + '\n[the log is full, later lines are left out]\n';
    hostLog(line);
  };
  const console = create(null);
  define(console, 'log', writer(''), true);
  define(console, 'info', writer(''), true);
  define(console, 'debug', writer(''), true);
  define(console, 'warn', writer('[warn] '), true);
  define(console, 'error', writer('[error] '), true);

  // sfc32: the same seed gives the same numbers.
  let [a, b, c, d] = chance;
  const draw = () => {
    const sum = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum | 0;
    return sum >>> 0;
  };
  for (let round = 0; round < 15; round++) draw();
  define(Math, 'random', () => ((draw() >>> 5) * 67108864 + (draw() >>> 6)) / 9007199254740992, false);

  define(world, 'console', console, false);
  define(world, 'tools', tools, false);
  define(world, 'select', select, false);
  // Memory that threads share, and a queue beside that of promises.
  deleteProperty(world, 'SharedArrayBuffer');
  deleteProperty(world, 'Atomics');

  // The end.
  const kindOf = (value) => {
    if (typeof value === 'function') return 'a function';
    if (typeof value === 'bigint') return 'a BigInt';
    if (typeof value === 'symbol') return 'a symbol';
    if (typeof value !== 'object' || value === null) return undefined;
    const proto = getPrototypeOf(value);
    if (proto === promiseProto) return 'a promise, which has to be awaited';
    if (proto === mapProto) return 'a Map';
    if (proto === setProto) return 'a Set';
    return undefined;
  };
  const check = (key, value) => {
    const kind = kindOf(value);
    if (kind === undefined) return value;
    throw new TypeError(
      'The script returned ' + kind + (key === '' ? '' : ' in ' + stringify(cut(key, 100))) + '. It can return JSON only',
    );
  };
  const jsonOf = (value) => {
    const text = stringify(value, check);
    return text === undefined ? 'null' : text;
  };
  const threw = (error) => {
    let message = 'The script threw a value that cannot be shown';
    try {
      message = isObject(error) ? messageOf(error) : 'The script threw ' + shown(error);
    } catch {}
    hostThrew(cut(message, 2000), isObject(error) ? stackOf(error) : '');
  };
  const isObject = (value) => typeof value === 'object' && value !== null;
  const messageOf = (error) => {
    const { name, message } = error;
    if (typeof message !== 'string') return 'The script threw ' + shown(error);
    return typeof name === 'string' && name !== 'Error' ? name + ': ' + message : message;
  };
  const start = async (body, inputText) => {
    try {
      define(world, 'input', parse(inputText), false);
      hostReturned(jsonOf(await body()));
    } catch (error) {
      threw(error);
      // Calls that have not begun do not begin any more.
      closed = true;
      first = next;
    }
  };
  return { __proto__: null, start, settle, threw };
})
`;
