// Writes the first lines of a back end that calls with a service key.
import type { Product } from '../../api/products.ts';

export interface FirstLines {
  origin: string;
  key: string;
  product: Pick<Product, 'integrations' | 'returnTo'>;
}

const USER = 'user-42';
const linkOf = ({ integrations, returnTo }: FirstLines['product']) => ({
  integration: integrations?.[0] ?? 'github',
  returnTo: returnTo[0] ?? '',
});
/** As one word of a shell. */
const quoted = (value: unknown): string => `'${JSON.stringify(value).replaceAll("'", String.raw`'\''`)}'`;

export function curlLines({ key, origin, product }: FirstLines): string {
  const post = (path: string, body: unknown) =>
    `curl -s ${origin}${path} -H 'x-service-api-key: ${key}' \\\n  -H 'content-type: application/json' -d ${quoted(body)}`;
  return [
    post('/api/actors', { externalId: USER }),
    post(`/api/actors/${USER}/connect-links`, linkOf(product)),
    `curl -s ${origin}/rest -H 'x-service-api-key: ${key}' -H 'x-service-actor: ${USER}'`,
  ].join('\n');
}

export function clientLines({ key, origin, product }: FirstLines): string {
  const text = (value: string) => JSON.stringify(value);
  const { integration, returnTo } = linkOf(product);
  return [
    "import { createClient } from 'tool-gateway/client';",
    '',
    `const gateway = createClient({ url: ${text(origin)}, key: ${text(key)} });`,
    `await gateway.createActor({ externalId: ${text(USER)} });`,
    `const { url } = await gateway.createActorLink(${text(USER)}, {`,
    `  integration: ${text(integration)},`,
    `  returnTo: ${text(returnTo)},`,
    '});',
    'console.log(url);',
  ].join('\n');
}
