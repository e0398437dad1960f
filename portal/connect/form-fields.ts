// Lists the fields of each connect method, and finds the field that a refusal is about.
import { ApiError } from '../api/client.ts';
import type { ApiKeyField } from '../api/connect.ts';
import type { Integration } from '../api/integrations.ts';
import { texts } from '../texts/texts.ts';

const words = texts.connect;

export const INSTANCE = 'instanceUrl';
export const SESSION = 'session';
/** No field of an integration is called so. */
export const ACCOUNT = 'account name';

export interface ConnectField extends Omit<ApiKeyField, 'secret'> {
  kind: 'text' | 'secret' | 'choice' | 'json';
}

export type Values = Readonly<Record<string, string>>;

export function keyFields(fields: readonly ApiKeyField[]): ConnectField[] {
  return fields.map((field) => ({ ...field, kind: kindOf(field) }));
}

/** An address is no secret. */
export const secretsIn = (fields: readonly Pick<ApiKeyField, 'secret'>[]): number =>
  fields.filter(({ secret }) => secret).length;

function kindOf({ secret, options }: ApiKeyField): ConnectField['kind'] {
  if (options !== undefined) return 'choice';
  return secret ? 'secret' : 'text';
}

/** Returns no field for a product without own instances. A stored address is optional. */
export function instanceFields({ instance, displayName }: Integration, isStored: boolean): ConnectField[] {
  if (instance === undefined) return [];
  const fallback = instance.default;
  return [
    {
      key: INSTANCE,
      kind: 'text',
      label: words.instance(displayName),
      required: instance.required && fallback === undefined && !isStored,
      placeholder: fallback ?? instance.example,
      ...(isStored ? { help: words.instanceKept } : {}),
      ...(!isStored && fallback !== undefined ? { help: words.instanceDefault(fallback) } : {}),
    },
  ];
}

export function sessionField(): ConnectField {
  return { key: SESSION, kind: 'json', label: words.session, required: true, help: words.sessionHelp };
}

export function findMissing(fields: readonly ConnectField[], values: Values): Record<string, string> {
  const missing = fields.filter(({ key, required }) => required && (values[key] ?? '').trim() === '');
  return Object.fromEntries(missing.map(({ key }) => [key, words.missing]));
}

/** Whether the gateway cannot tell whose the credential is, and asks for the name of the account. */
export const asksForName = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.status === 400 || error.status === 409) &&
  /in "account"/.test(error.message);

/** Returns the field that a refusal names or most likely means, or null when the refusal is about no field. */
export function findRefusedField(error: unknown, fields: readonly ConnectField[]): string | null {
  if (!(error instanceof ApiError) || error.status !== 400) return null;
  const named = fields
    .filter(({ key, label }) => error.message.includes(label) || error.message.startsWith(`${key}: `))
    .toSorted((one, other) => other.label.length - one.label.length)[0];
  if (named !== undefined) return named.key;
  const has = (key: string) => fields.some((field) => field.key === key);
  if (has(ACCOUNT) && /name of an account|in "account"/.test(error.message)) return ACCOUNT;
  // The provider has refused the credential, in its own words.
  const secret = fields.find(({ kind }) => kind === 'secret');
  if (secret !== undefined && / answered /.test(error.message)) return secret.key;
  if (has(SESSION) && /cookie|session|json/i.test(error.message)) return SESSION;
  return has(INSTANCE) ? INSTANCE : null;
}
