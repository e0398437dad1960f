// Serves refresh grants with oidc-provider, configured like our grant: an HS256 JWT, a rotated token and no
// ID token. It keeps its tokens in memory; ours are on disk.
import { createSecretKey } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

const [file = '', port = '0', count = '0'] = process.argv.slice(2);
const issuer = `http://127.0.0.1:${port}`;
const RESOURCE = 'https://gate.example/mcp';
const key = createSecretKey(Buffer.alloc(32, 7));
const provider = new Provider(issuer, {
  clients: [
    {
      client_id: 'bench',
      redirect_uris: ['https://client.example/cb'],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    },
  ],
  scopes: ['openid', 'offline_access', 'mcp'],
  features: {
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => RESOURCE,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope: 'mcp',
        audience: RESOURCE,
        accessTokenTTL: 3600,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'HS256', key } },
      }),
    },
  },
  rotateRefreshToken: true,
  findAccount: (_: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
});

const client = await provider.Client.find('bench');
const tokens: string[] = [];
for (let made = 0; made < Number(count); made++) {
  const grant = new provider.Grant({ accountId: 'someone', clientId: 'bench' });
  grant.addOIDCScope('offline_access');
  grant.addResourceScope(RESOURCE, 'mcp');
  const grantId = await grant.save();
  const about = {
    client,
    accountId: 'someone',
    grantId,
    scope: 'offline_access mcp',
    resource: RESOURCE,
    gty: 'authorization_code',
  };
  tokens.push(await new provider.RefreshToken(about).save());
}
writeFileSync(file, tokens.join('\n'));
const answer = provider.callback();
createServer((request, response) => void answer(request, response)).listen(Number(port), '127.0.0.1');
