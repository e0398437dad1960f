// Forwards what a Worker cannot do itself to a Node gateway on the same database: raw streams, a browser and scripts.
import type { Config } from '../../src/config/config.ts';
import type { Integration } from '../../src/kit/integration.ts';
import { createBrowserUse } from '../../src/live-view/browser-paths.ts';
import { createIsOwnOrigin } from '../../src/jots/serving/own-origin.ts';
import { isSafePath } from '../../src/kit/safe-path.ts';
import { splitProxyPath } from '../../src/raw/path.ts';

/** What runs a script, by its path. */
const SCRIPTS = /^\/rest\/scripts(?:\/|$)|^\/api\/script-runs\/|^\/sets\/[^/]+\/tools\/scripts?_/;
/** What may run one, by its body. */
const MCP = /^\/mcp(?:\/|$)/;
const MAX_PEEKED_BYTES = 1024 ** 2;

export function createNodeOrigin(
  config: Pick<Config, 'JOTS_ORIGIN' | 'NODE_ORIGIN'>,
  integrations: readonly Integration[],
): (request: Request) => Promise<Response | null> {
  const { NODE_ORIGIN: origin } = config;
  const isOfJots = createIsOwnOrigin(config);
  const browserUse = createBrowserUse(integrations);

  function useOf(method: string, path: string): ReturnType<typeof browserUse> {
    if (path.startsWith('/c/')) return 'needed';
    // Without a Node gateway the tool itself says so.
    if (path.startsWith('/scim/')) return 'better';
    return method === 'POST' && SCRIPTS.test(path) ? 'better' : browserUse(path);
  }

  return async function atNode(request) {
    const url = new URL(request.url);
    const use = useOf(request.method, url.pathname);
    // On the jots' own origin the app answers that nothing is there.
    if (isOfJots(url.host)) return null;
    if (use === 'none' && (origin === undefined || !(await namesScripts(request, url)))) return null;
    if (origin === undefined) return use === 'better' ? null : notHere(url);
    if (walks(request.url)) return Response.json({ error: 'invalid path' }, { status: 400 });
    return forward(request, `${origin}${url.pathname}${url.search}`);
  };
}

/** Whether a call over MCP names a tool of scripts. A call that only speaks of one is answered by Node in the same way. */
async function namesScripts(request: Request, { pathname }: URL): Promise<boolean> {
  const length = Number(request.headers.get('content-length') ?? Infinity);
  if (request.method !== 'POST' || !MCP.test(pathname) || length > MAX_PEEKED_BYTES) return false;
  return /scripts?_/.test(await request.clone().text());
}

/** Whether this is a proxy path only in its original spelling: on the way to Node it would be normalized. */
function walks(url: string): boolean {
  const proxied = splitProxyPath(url.replace(/^[a-z]+:\/\/[^/?#]*/i, ''));
  return proxied !== null && !isSafePath(proxied.tail, proxied.search);
}

/**
 * The platform stores the caller's Accept-Encoding beside the request and writes its own into the headers.
 */
type PlatformRequest = Request & { cf?: { clientAcceptEncoding?: string } };

/** Passes both bodies on unchanged, and every header but those that the platform writes itself. */
async function forward(request: PlatformRequest, target: string): Promise<Response> {
  const headers = new Headers(request.headers);
  const caller = headers.get('cf-connecting-ip');
  if (caller !== null) headers.set('x-forwarded-for', caller);
  // Otherwise the platform asks for an encoding that the caller may not understand.
  const accepted = request.cf?.clientAcceptEncoding ?? headers.get('accept-encoding');
  headers.set('accept-encoding', accepted || 'identity');
  const { signal } = request;
  try {
    // Copies the original request, because a new GET request may not have a body.
    const forwarded = new Request(target, request);
    return await fetch(new Request(forwarded, { headers, signal, redirect: 'manual', cache: 'no-store' }));
  } catch (error) {
    if (signal.aborted) throw error;
    return Response.json(
      { error: 'The Node gateway behind this one cannot be reached. Try again shortly.' },
      { status: 503, headers: { 'retry-after': '5' } },
    );
  }
}

function notHere({ pathname }: URL): Response {
  const what = pathname.startsWith('/c/') ? 'The curl proxy' : 'The live view';
  return Response.json(
    { error: `${what} needs a Node gateway. This one runs at the edge, and NODE_ORIGIN is not set.` },
    { status: 501 },
  );
}
