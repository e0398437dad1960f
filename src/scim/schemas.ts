// Declares what the gateway keeps of a person and a group that a directory pushes, and describes it. RFC 7643 §7; decision: 071
import { SCIM_MAX_PAGE } from './limits.ts';

export interface Attribute {
  name: string;
  type: 'string' | 'boolean' | 'reference' | 'complex';
  multiValued: boolean;
  description: string;
  required: boolean;
  mutability: 'readWrite' | 'readOnly' | 'immutable';
  returned: 'default';
  uniqueness?: 'none' | 'server';
  caseExact?: boolean;
  referenceTypes?: readonly string[];
  subAttributes?: readonly Attribute[];
}

export interface Schema {
  id: string;
  name: string;
  description: string;
  endpoint: string;
  attributes: readonly Attribute[];
}

type Given = Partial<Omit<Attribute, 'name' | 'description' | 'returned'>>;

function attribute(name: string, description: string, given: Given = {}): Attribute {
  const { type = 'string' } = given;
  const common = {
    multiValued: false,
    required: false,
    mutability: 'readWrite',
    returned: 'default',
  } as const;
  const plain =
    type === 'complex' || type === 'boolean' ? {} : { uniqueness: 'none' as const, caseExact: false };
  return { name, type, description, ...common, ...plain, ...given };
}

const READ_ONLY = { mutability: 'readOnly' } as const;
const IMMUTABLE = { mutability: 'immutable' } as const;

export const USER: Schema = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:User',
  name: 'User',
  description: 'A person of the gateway',
  endpoint: '/Users',
  attributes: [
    attribute('userName', 'The name of the person in the directory', {
      required: true,
      uniqueness: 'server',
    }),
    attribute('name', 'The parts of the name', {
      type: 'complex',
      subAttributes: [
        attribute('formatted', 'The whole name'),
        attribute('familyName', 'The family name'),
        attribute('givenName', 'The given name'),
      ],
    }),
    attribute('displayName', 'The name to show'),
    attribute('active', 'Whether the person may use the gateway', { type: 'boolean', required: true }),
    attribute('emails', 'The primary one is the address with which the person signs in first', {
      type: 'complex',
      multiValued: true,
      required: true,
      subAttributes: [
        attribute('value', 'The address', { required: true }),
        attribute('display', 'The name to show'),
        attribute('type', 'Such as work'),
        attribute('primary', 'Whether it is the address of the account', { type: 'boolean' }),
      ],
    }),
    attribute('groups', 'The groups of the person', {
      type: 'complex',
      multiValued: true,
      ...READ_ONLY,
      subAttributes: [
        attribute('value', 'The id of the group', READ_ONLY),
        attribute('$ref', 'The address of the group', {
          type: 'reference',
          referenceTypes: ['Group'],
          caseExact: true,
          ...READ_ONLY,
        }),
        attribute('display', 'The name of the group', READ_ONLY),
      ],
    }),
  ],
};

export const GROUP: Schema = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  name: 'Group',
  description: 'A group of people',
  endpoint: '/Groups',
  attributes: [
    attribute('displayName', 'The name that rules use', { required: true, uniqueness: 'server' }),
    attribute('members', 'The people of the group', {
      type: 'complex',
      multiValued: true,
      subAttributes: [
        attribute('value', 'The id of the person', IMMUTABLE),
        attribute('$ref', 'The address of the person', {
          type: 'reference',
          referenceTypes: ['User'],
          caseExact: true,
          ...IMMUTABLE,
        }),
      ],
    }),
  ],
};

/** Every resource has it, so no schema describes it. RFC 7643 §3.1 */
export const COMMON: readonly Attribute[] = [
  attribute('externalId', 'The id in the directory', { caseExact: true }),
  attribute('id', 'The id here', READ_ONLY),
  attribute('schemas', 'The schemas of the resource', { multiValued: true, ...READ_ONLY }),
  attribute('meta', 'About the resource', { type: 'complex', ...READ_ONLY }),
];

export const SCHEMAS: readonly Schema[] = [USER, GROUP];

const CORE = 'urn:ietf:params:scim:schemas:core:2.0';

export const describeSchema = ({ id, name, description, attributes }: Schema, base: string) => ({
  schemas: [`${CORE}:Schema`],
  id,
  name,
  description,
  attributes,
  meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
});

export const describeType = ({ id, name, description, endpoint }: Schema, base: string) => ({
  schemas: [`${CORE}:ResourceType`],
  id: name,
  name,
  description,
  endpoint,
  schema: id,
  meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
});

export const describeService = (base: string) => ({
  schemas: [`${CORE}:ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: SCIM_MAX_PAGE },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'The SCIM_TOKEN of the gateway',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
});
