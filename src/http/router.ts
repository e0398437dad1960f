// Routes requests with Hono's trie router, and remembers its answers. decision: 012
import type { Result, Router } from 'hono/router';
import { TrieRouter } from 'hono/router/trie-router';

// Bounds the memory: callers choose the paths.
const MAX_ENTRIES = 1_000;
const MAX_KEY_LENGTH = 200;

export function createRouter<T>(): Router<T> {
  const trie = new TrieRouter<T>();
  const results = new Map<string, Result<T>>();

  return {
    name: 'trie with remembered results',
    add(method, path, handler) {
      trie.add(method, path, handler);
      results.clear();
    },
    match(method, path) {
      const key = `${method} ${path}`;
      const known = results.get(key);
      if (known !== undefined) return known;
      const result = trie.match(method, path);
      if (key.length > MAX_KEY_LENGTH) return result;
      if (results.size === MAX_ENTRIES) results.clear();
      results.set(key, result);
      return result;
    },
  };
}
