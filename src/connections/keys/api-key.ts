// Checks what a person types to connect with an API key or a token, and separates the secrets from the rest. decision: 027
import type { Integration } from '../../kit/integration.ts';
import type { ApiBase, ApiKeyBlock, ApiKeyField, CredentialPlace, TokenWay } from '../../kit/manifest.ts';
import { INSTANCE, type ConnectionConfig } from '../model/config.ts';

/** The fields of the form with the instance. A known instance may be left empty. */
export function formFields(
  { instance, displayName, api }: Integration,
  block: ApiKeyBlock | TokenWay,
  knownInstance: string | undefined,
): ApiKeyField[] {
  if (instance === undefined) return [...block.fields];
  const otherwise = knownInstance ?? instance.default;
  const region = block.fields.find(({ key }) => key === regionKey(baseFor(api, block)));
  const empty = region === undefined ? 'this' : `this and “${region.label}”`;
  const address: ApiKeyField = {
    key: INSTANCE,
    label: `Address of your ${displayName}`,
    secret: false,
    required: (instance.required || isAtInstance(baseFor(api, block))) && otherwise === undefined,
    placeholder: otherwise ?? instance.example,
    ...(knownInstance === undefined ? {} : { help: `Leave ${empty} empty to keep ${knownInstance}.` }),
  };
  return [address, ...block.fields];
}

export type ReadValues =
  | { ok: true; secret: string; config: ConnectionConfig }
  | { ok: false; status: 400 | 500; message: string };

export function readValues(
  integration: Integration,
  block: ApiKeyBlock | TokenWay,
  values: Record<string, string>,
  knownInstance: string | undefined,
): ReadValues {
  const secrets: Record<string, string> = {};
  const config: ConnectionConfig = {};
  const base = baseFor(integration.api, block);
  const place = 'credential' in block ? block.credential : integration.api?.credential;
  for (const { key, label, secret, required, options } of formFields(integration, block, knownInstance)) {
    const value = Object.hasOwn(values, key) ? (values[key]?.trim() ?? '') : '';
    if (value === '') {
      if (required) return refuse(`Missing required field: ${label}`);
      continue;
    }
    if (options !== undefined && !options.includes(value))
      return refuse(`${label} must be one of: ${options.join(', ')}`);
    // A line break would start another header, and other control characters are not allowed in one.
    if (/[\u0000-\u001f\u007f]/.test(value))
      return refuse(`${label} must not contain line breaks or control characters`);
    if (
      (goesIntoHeader(place, key) || (secret && !goesIntoBasic(place, key))) &&
      /[^\u0020-\u007e]/.test(value)
    )
      return refuse(`${label} must be made of ASCII letters, digits and signs`);
    (secret ? secrets : config)[key] = value;
  }
  if (knownInstance !== undefined && !namesPlace(base, config)) config[INSTANCE] = knownInstance;
  const declared = block.fields.filter(({ secret }) => secret);
  const [only] = declared;
  if (only === undefined)
    return { ok: false, status: 500, message: `${integration.displayName} declares no secret field` };
  return {
    ok: true,
    secret: declared.length === 1 ? (secrets[only.key] ?? '') : JSON.stringify(secrets),
    config,
  };
}

/** A person who gives an address or a region has left the instance they had. */
function namesPlace(base: ApiBase | undefined, config: ConnectionConfig): boolean {
  return [INSTANCE, regionKey(base)].some((key) => key !== undefined && Object.hasOwn(config, key));
}

function regionKey(base: ApiBase | undefined): string | undefined {
  return typeof base === 'object' && 'by' in base ? base.by : undefined;
}

/** A token of Jira works at the person's own site only, where a sign-in works without an address. */
function isAtInstance(base: ApiBase | undefined): boolean {
  return typeof base === 'object' && 'instancePath' in base;
}

/** A token may be used at another address than the rest of the API. */
function baseFor(api: Integration['api'], block: ApiKeyBlock | TokenWay): ApiBase | undefined {
  return ('credential' in block ? block.base : undefined) ?? api?.base;
}

/** RFC 7617 §2.1: the user name and the password are UTF-8. */
function goesIntoBasic(place: CredentialPlace | undefined, key: string): boolean {
  if (place?.in === 'all') return place.places.some((each) => goesIntoBasic(each, key));
  return place?.in === 'basic' && `${place.user} ${place.password}`.includes(`{${key}}`);
}

function goesIntoHeader(place: CredentialPlace | undefined, key: string): boolean {
  if (place?.in === 'all') return place.places.some((each) => goesIntoHeader(each, key));
  return (
    place?.in === 'headers' && Object.values(place.headers).some((template) => template.includes(`{${key}}`))
  );
}

function refuse(message: string): ReadValues {
  return { ok: false, status: 400, message };
}
