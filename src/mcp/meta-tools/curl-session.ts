// curl_session: a token that lends connections to raw HTTP. design: M11
import * as z from 'zod';
import { type MetaTool, tool } from '../../integration.ts';
import {
  CURL_SESSION_DEFAULT_SECONDS,
  CURL_SESSION_MAX_INTEGRATIONS,
  CURL_SESSION_MAX_SECONDS,
} from '../../limits.ts';
import type { MetaNeeds } from './context.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;

export function curlSession({ registry }: Pick<MetaNeeds, 'registry'>): MetaTool {
  return tool(
    'curl_session',
    'Get a short-lived token with which curl or any HTTP client can call connected integrations through this gateway, without seeing their credentials.',
    {
      integrations: z
        .array(z.string())
        .min(1)
        .max(CURL_SESSION_MAX_INTEGRATIONS)
        .describe('Names from list_integrations'),
      ttlSeconds: z.int().positive().max(CURL_SESSION_MAX_SECONDS).default(CURL_SESSION_DEFAULT_SECONDS),
      methods: z.array(z.enum(METHODS)).min(1).optional().describe('Only these HTTP methods'),
      pathPrefix: z.string().startsWith('/').optional().describe('Only paths below this one'),
    },
    ({ integrations }) => {
      const unknown = integrations.find((name) => registry.integration(name) === null);
      if (unknown !== undefined) return { error: 'Integration not found', integration: unknown };
      // No integration of this build declares a proxy block yet.
      return { error: 'integration does not support curl proxy', integration: integrations[0] };
    },
    'write',
  );
}
