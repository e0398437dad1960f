// Routes requests with Hono's trie router, and remembers its answers. decision: 012
import type { Result, Router } from 'hono/router';
import { TrieRouter } from 'hono/router/trie-router';

// Bounds the memory: callers choose the paths.
const MAX_ENTRIES = 1_000;
const MAX_KEY_LENGTH = 200;

type Route<T> = [method: string, path: string, handler: T];

/** The first segment of a path. A request matches only routes that begin with the same one, or with one that is open. */
const firstOf = (path: string): string => path.split('/', 2)[1] ?? '';
const isOpen = (segment: string): boolean => /[:*]/.test(segment);

/**
 * Builds a trie for each first segment when it is first asked for: a start would take longer for hundreds of routes, and the
 * first answer needs few of them.
 */
export function createRouter<T>(): Router<T> {
  const routes: Route<T>[] = [];
  const segments = new Set<string>();
  const tries = new Map<string, TrieRouter<T>>();
  const results = new Map<string, Result<T>>();

  function trieFor(path: string): TrieRouter<T> {
    const first = firstOf(path);
    // All paths that begin with no route's segment have one trie.
    const key = segments.has(first) ? first : '*';
    const made = tries.get(key);
    if (made !== undefined) return made;
    const trie = new TrieRouter<T>();
    // In one order, because earlier routes come first.
    for (const route of routes) {
      const begin = firstOf(route[1]);
      if (isOpen(begin) || begin === first) trie.add(...route);
    }
    tries.set(key, trie);
    return trie;
  }

  return {
    name: 'tries with remembered results',
    add(method, path, handler) {
      routes.push([method, path, handler]);
      segments.add(firstOf(path));
      tries.clear();
      results.clear();
    },
    match(method, path) {
      const key = `${method} ${path}`;
      const known = results.get(key);
      if (known !== undefined) return known;
      const result = trieFor(path).match(method, path);
      if (key.length > MAX_KEY_LENGTH) return result;
      if (results.size === MAX_ENTRIES) results.clear();
      results.set(key, result);
      return result;
    },
  };
}
