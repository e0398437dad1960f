// Declares how a key that somebody types is asked for, checked and stored. reference: API key form
import type { Account } from './state.ts';
import type { ApiKeyField } from '../../kit/manifest.ts';
import type { Integration } from '../../kit/integration.ts';

export interface TypedKey {
  userId: string;
  /** The owner of the connection: the person, or everyone. */
  owner: string;
  integration: Integration;
  /** What was typed, by field. */
  values: Record<string, string>;
  account: string | undefined;
}

export interface KeyForms {
  /** The fields of a new connection. Null for an integration that takes no key. */
  fields(integration: Integration): ApiKeyField[] | null;
  /** Throws an `HttpError` with a sentence for whoever has typed the key. */
  save(typed: TypedKey): Promise<{ status: 'ok' | 'unverified'; account?: Account }>;
}
