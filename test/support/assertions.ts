// Makes identity assertions (ID-JAG), correct unless a test says otherwise, and redeems them.
import type { JWTPayload } from 'jose';
import { token, type TokenAnswer } from './oauth-client.ts';
import type { TestApp } from './test-app.ts';

export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
export const ID_JAG = 'oauth-id-jag+jwt';

interface About {
  app: TestApp;
  issuer: string;
  client: string;
  login: string;
}

/** The claims of a correct assertion. The name of the login is the subject and the first part of the address. */
export function assertionClaims({ app, issuer, client, login }: About): JWTPayload {
  const { clock, config } = app.deps;
  return {
    iss: issuer,
    aud: config.SERVER_PUBLIC_URL,
    sub: login,
    client_id: client,
    jti: crypto.randomUUID(),
    iat: clock.now(),
    exp: clock.now() + 300,
    email: `${login}@example.com`,
    email_verified: true,
  };
}

export const assertionForm = (client_id: string, assertion: string): Record<string, string> => ({
  grant_type: JWT_BEARER,
  client_id,
  assertion,
});

export const redeemAssertion = (
  app: TestApp,
  client: string,
  assertion: string,
  fields: Record<string, string> = {},
): Promise<TokenAnswer> => token(app, { ...assertionForm(client, assertion), ...fields });
