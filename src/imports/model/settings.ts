// Seals how an import is connected and called, and opens it again.
import * as z from 'zod';
import type { Seal } from '../../crypto/seal.ts';
import { parseJson } from '../../json/json.ts';
import type { ImportRecord } from '../../ports/records.ts';
import { placeOfImport } from './settings-place.ts';
import type { ImportAuth } from './source-description.ts';

const ENTERED = [
  z.object({ type: z.literal('headers'), headers: z.record(z.string(), z.string()) }),
  z.object({ type: z.literal('query'), parameters: z.record(z.string(), z.string()) }),
  z.object({ type: z.literal('basic') }),
] as const;

const Auth: z.ZodType<ImportAuth> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('none') }),
  ...ENTERED,
  z.object({ type: z.literal('all'), ways: z.array(z.discriminatedUnion('type', ENTERED)) }),
  z.object({ type: z.literal('client'), tokenUrl: z.string(), scopes: z.array(z.string()).optional() }),
  z.object({ type: z.literal('values'), fields: z.array(z.string()) }),
  z.object({
    type: z.literal('oauth2'),
    clientId: z.string().optional(),
    clientSecret: z.string().optional(),
    scopes: z.array(z.string()).optional(),
    authorizeUrl: z.string().optional(),
    tokenUrl: z.string().optional(),
  }),
]);

const Stored = z.object({
  auth: Auth,
  /** Null includes every tool. */
  include: z.array(z.string()).nullable(),
  exclude: z.array(z.string()),
  access: z.record(z.string(), z.enum(['read', 'write', 'destroy'])),
  /** Whether the source has been listed: its first listing is granted. */
  isListed: z.boolean(),
  base: z.string().optional(),
  /** How its tools are named. Without it they keep the names of version 0.2. */
  naming: z.literal(2).optional(),
  /** What every call of an OpenAPI service carries. */
  headers: z.record(z.string(), z.string()).optional(),
  /** How long a call may take without an answer. */
  timeoutSec: z.number().optional(),
});

export type Settings = z.infer<typeof Stored>;

export interface ImportSettings {
  /** Null when no key opens them. */
  open(record: Pick<ImportRecord, 'id' | 'settings'>): Promise<Settings | null>;
  seal(id: string, settings: Settings): Promise<string>;
}

export function createImportSettings({ seal }: { seal: Seal }): ImportSettings {
  return {
    async open({ id, settings }) {
      const text = await seal.open(settings, placeOfImport(id));
      return text === null ? null : (Stored.safeParse(parseJson(text)).data ?? null);
    },
    seal: (id, settings) => seal.seal(JSON.stringify(settings), placeOfImport(id)),
  };
}
