// Builds what both kinds of descriptions have: the address, the credentials, and the shared schemas and replies.
import { API_KEY_HEADER } from '../../http/presented-key.ts';
import type { Config } from '../../config/config.ts';
import {
  type CallerKind,
  failure,
  type Operation,
  reply,
  type Reply,
  sharedSchemas,
} from '../../http/operation.ts';
import type { JsonSchema } from '../../kit/validation.ts';
import * as z from 'zod';
import { toSchema } from './schema.ts';

export type Json = Record<string, unknown>;
export type Place = Pick<Config, 'SERVER_PUBLIC_URL'>;

interface Content {
  title: string;
  version: string;
  description: string;
  tags: Readonly<Record<string, string>>;
  paths: Readonly<Json>;
  schemas?: Readonly<Json>;
  responses?: Json;
}

export function openApiDocument({ SERVER_PUBLIC_URL: base }: Place, content: Content): Json {
  const { title, version, description, tags, paths, schemas, responses } = content;
  const shared = Object.entries(sharedSchemas()).map(([name, schema]) => [name, toSchema(schema, 'output')]);
  return {
    openapi: '3.1.0',
    info: { title, version, description },
    servers: [{ url: base }],
    tags: Object.entries(tags).map(([name, about]) => ({ name, description: about })),
    paths,
    components: {
      schemas: { ...Object.fromEntries(shared), ...schemas },
      responses: {
        Unauthorized: responseOf(failure('No valid API key or session')),
        Challenge: responseOf(
          reply(
            'No valid credential; `WWW-Authenticate` leads to the authorization server',
            z.union([
              z.object({ error: z.literal('Unauthorized'), resource_metadata: z.string() }),
              // The person's access ended during the call.
              z.object({ error: z.literal('ACCESS_ENDED'), message: z.string() }),
            ]),
          ),
        ),
        Failure: responseOf(failure('Any other failure, such as 413, 500 or 503')),
        ...responses,
      },
      securitySchemes: securitySchemes(base),
    },
  };
}

const SECURITY: Readonly<Record<CallerKind, readonly Json[]>> = {
  machine: [{ apiKey: [] }, { session: [] }, { oauth: ['mcp'] }],
  portal: [{ apiKey: [] }, { session: [] }],
  session: [{ session: [] }],
  service: [{ serviceKey: [] }],
  curl: [{ curlSession: [] }],
  anyone: [],
};

const UNAUTHORIZED: Readonly<Partial<Record<CallerKind, string>>> = {
  machine: 'Challenge',
  portal: 'Unauthorized',
  session: 'Unauthorized',
  service: 'Unauthorized',
};

/** What an operation of any kind says about its caller, and about failures that need no word of its own. */
export function accessOf(
  caller: CallerKind,
  access: Operation['access'],
  responses: Readonly<Record<string, Json>>,
): Json {
  const unauthorized = UNAUTHORIZED[caller];
  return {
    'x-access': access,
    security: SECURITY[caller],
    responses: {
      ...(unauthorized === undefined ? {} : { 401: refer('responses', unauthorized) }),
      ...responses,
      default: refer('responses', 'Failure'),
    },
  };
}

export const refer = (kind: 'schemas' | 'responses', name: string): Json => ({
  $ref: `#/components/${kind}/${name}`,
});

export function responseOf({
  description,
  schema,
  mediaType = 'application/json',
  otherMediaType,
}: Reply): Json {
  if (schema === undefined && mediaType === 'application/json') return { description };
  const content = schema === undefined ? {} : { schema: schemaOf(schema) };
  const other = otherMediaType === undefined ? {} : { [otherMediaType]: {} };
  return { description, content: { [mediaType]: content, ...other } };
}

const schemaOf = (schema: NonNullable<Reply['schema']>): JsonSchema =>
  typeof schema === 'string' ? refer('schemas', schema) : toSchema(schema, 'output');

function securitySchemes(base: string): Json {
  return {
    apiKey: {
      type: 'apiKey',
      in: 'header',
      name: API_KEY_HEADER,
      description: 'A person makes it in the portal. It is tried first, also beside a Bearer.',
    },
    session: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'A session of the portal. A sign-in brings it.',
    },
    oauth: {
      type: 'oauth2',
      description:
        'For REST and MCP. All clients are public and use PKCE with S256. A client registers at /register, or is a document on the web.',
      flows: {
        authorizationCode: {
          authorizationUrl: `${base}/authorize`,
          tokenUrl: `${base}/token`,
          refreshUrl: `${base}/token`,
          scopes: { mcp: 'Acts as the person over MCP and REST' },
        },
      },
    },
    serviceKey: {
      type: 'apiKey',
      in: 'header',
      name: API_KEY_HEADER,
      description:
        'An administrator makes it in the portal for a product. With the header x-service-actor it calls REST and MCP for one actor.',
    },
    curlSession: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'The token that the meta-tool curl_session answers.',
    },
  };
}
