// Starts a gateway with sign-in providers and an OAuth integration, and the providers themselves.
import { type Gateway, openSite } from '../support/gateway-process.ts';
import { startHttpServer } from '../support/http-server.ts';
import { freePort } from '../support/listen.ts';
import { startOidc } from '../support/oidc.ts';

export interface ProvidedGateway {
  gateway: Gateway;
  /** The address of a GitLab that approves everybody. */
  gitlab: string;
  close: () => Promise<void>;
}

export async function openProvidedGateway(): Promise<ProvidedGateway> {
  const site = await openSite();
  const port = await freePort();
  const base = `http://localhost:${port}`;
  const hosted = await startOidc({ redirectUris: [`${base}/api/auth/hosted/callback`] });
  const idp = await startOidc({ redirectUris: [`${base}/api/auth/idp/callback`] });
  const gitlab = await startGitlab();
  const gateway = await site.start({
    port,
    env: {
      HOSTED_ISSUER_URL: hosted.issuer,
      HOSTED_CLIENT_ID: hosted.clientId,
      HOSTED_CLIENT_SECRET: hosted.clientSecret,
      IDP_ISSUER_URL: idp.issuer,
      IDP_CLIENT_ID: idp.clientId,
      IDP_CLIENT_SECRET: idp.clientSecret,
      GITLAB_CLIENT_ID: 'gateway',
      GITLAB_CLIENT_SECRET: 'a secret',
      GITLAB_INSTANCES: JSON.stringify({ [gitlab.url]: { clientId: 'gateway', clientSecret: 'a secret' } }),
      CONNECT_VIA: 'portal',
      OAUTH_CONSENT: 'always',
      CHROMIUM_PATH: '/nowhere/chromium',
    },
  });
  return {
    gateway,
    gitlab: gitlab.url,
    close: async () => {
      await Promise.all([site.close(), hosted.close(), idp.close(), gitlab.close()]);
    },
  };
}

async function startGitlab(): Promise<{ url: string; close: () => Promise<void> }> {
  const server = await startHttpServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://gitlab');
    if (pathname === '/oauth/authorize') {
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      back.searchParams.set('code', 'a code');
      back.searchParams.set('state', searchParams.get('state') ?? '');
      response.writeHead(302, { location: back.href }).end();
      return;
    }
    const tokens = { access_token: 'a token', refresh_token: 'another', token_type: 'bearer' };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(tokens));
  });
  return { url: `http://127.0.0.1:${server.port}`, close: () => server.close() };
}
