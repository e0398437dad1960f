// npm run client: writes the client for service keys, adapters/node/client/client.ts, from the description of the API.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FEATURES } from '../../src/features.ts';
import { describeGateway, describeOperations } from '../../src/rest/openapi/gateway-document.ts';
import { writeClient } from './client/generate.ts';

/** What /openapi.json answers, without the links to the integrations. */
const description = describeGateway({
  config: { SERVER_PUBLIC_URL: 'https://gateway.example' },
  operations: describeOperations(FEATURES),
  registry: { integrations: [] },
});

writeFileSync(join(import.meta.dirname, 'client/client.ts'), writeClient(description));
