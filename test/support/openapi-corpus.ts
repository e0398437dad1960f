// Lists real OpenAPI descriptions that come with packages, and reads them.
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { gunzipSync } from 'node:zlib';

export interface RealDescription {
  name: string;
  package: string;
  file: string;
}

const of = (name: string, npm: string, file: string): RealDescription => ({ name, package: npm, file });
const example = (name: string, file: string) => of(name, '@readme/oas-examples', file);

export const REAL: readonly RealDescription[] = [
  of('GitHub', '@octokit/openapi', 'generated/api.github.com.json'),
  of('Kubernetes 1.13', 'kubernetes-client', 'lib/specs/swagger-1.13.json.gz'),
  of('Figma', '@figma/rest-api-spec', 'openapi/openapi.yaml'),
  of('Directus', '@directus/specs', 'dist/openapi.json'),
  of('Blockfrost', '@blockfrost/openapi', 'openapi.yaml'),
  of('rclone', 'rclone-openapi', 'openapi.json'),
  of('ShipEngine', 'shipengine-openapi', 'openapi.json'),
  of('Dialogporten', '@digdir/dialogporten-schema', 'swagger.verified.json'),
  of('Instagram', 'swagger-zoo', 'fixtures/examples/swagger/instagram.yaml'),
  of('Uber', 'swagger-zoo', 'fixtures/examples/swagger/uber.yaml'),
  of('Scalar Galaxy', '@scalar/galaxy', 'dist/latest.yaml'),
  example('Petstore', '2.0/json/petstore.json'),
  example('Petstore, YAML', '2.0/yaml/petstore.yaml'),
  example('STAPI', '3.0/json/star-trek.json'),
  example('ReadMe', '3.1/yaml/readme.yaml'),
  example('Train Travel', '3.1/json/train-travel.json'),
  example('USPTO', '3.0/json/uspto.json'),
  example('Styles of parameters', '3.1/json/parameters-style.json'),
  example('Polymorphism', '3.0/json/polymorphism.json'),
  example('Discriminators', '3.0/json/discriminators.json'),
  example('Cycles', '3.0/json/schema-circular.json'),
  example('File uploads', '3.0/json/file-uploads.json'),
  example('Security', '3.1/json/security.json'),
];

const MODULES = readFileSync(join(import.meta.dirname, '../corpus/modules.txt'), 'utf8').split('\n');
const within = (name: string, module: string, file: string): RealDescription =>
  of(name, MODULES.find((each) => each.startsWith(`${module}@`)) ?? module, file);
const LIBOPENAPI = 'github.com/pb33f/libopenapi';

/** Those that come with modules of Go. */
export const REAL_MODULES: readonly RealDescription[] = [
  within('Kubernetes 1.37', 'k8s.io/kubernetes', 'api/openapi-spec/swagger.json'),
  within('Docker', 'github.com/docker/docker', 'api/swagger.yaml'),
  within('Docker 1.38', 'github.com/docker/docker', 'docs/api/v1.38.yaml'),
  within('Stripe', LIBOPENAPI, 'test_specs/stripe.yaml'),
  within('Asana', LIBOPENAPI, 'test_specs/asana.yaml'),
  within('DocuSign', LIBOPENAPI, 'test_specs/docusignv3.1.json'),
  within('Ory Kratos', 'github.com/ory/kratos', 'spec/api.json'),
  within(
    'grpc-gateway',
    'github.com/grpc-ecosystem/grpc-gateway/v2',
    'examples/internal/proto/examplepb/a_bit_of_everything.swagger.json',
  ),
];

/** `npm run corpus` installs the packages. `NODE_PATH` may name folders with more of them. */
const FOLDERS = [
  join(import.meta.dirname, '../corpus/node_modules'),
  ...(process.env['NODE_PATH'] ?? '').split(delimiter).filter((folder) => folder !== ''),
  // `npm run corpus:go` downloads the modules to where Go keeps them.
  process.env['GOMODCACHE'] ?? join(homedir(), 'go/pkg/mod'),
];

/** Returns null when the package is not installed. */
export function findReal({ package: npm, file }: RealDescription): string | null {
  return FOLDERS.map((folder) => join(folder, npm, file)).find((path) => existsSync(path)) ?? null;
}

export function readReal(path: string): string {
  const bytes = readFileSync(path);
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}
