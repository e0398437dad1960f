// Describes the routes of machine clients and trusted issuers, and declares their bodies and answers. reference: Machines
import * as z from 'zod';
import { failure, type Operations, reply, succeeded } from '../../http/operation.ts';
import { HAS_NO_CONTROL, shownText } from '../../kit/shown-text.ts';
import { shownLimits } from '../../policy/model/ending-limits.ts';
import {
  CLAIMS_PER_RULE,
  MACHINE_CLIENTS_PER_PERSON,
  MACHINE_JWT_CHARACTERS,
  PATTERN_CHARACTERS,
  RULES_PER_ISSUER,
  TRUSTED_ISSUERS,
} from './limits.ts';

const MAX_NAME_LENGTH = 100;

const name = () =>
  z
    .string()
    .max(MAX_NAME_LENGTH)
    .transform((text) => shownText(text) ?? '')
    .refine((text) => text !== '', { error: 'is empty' });
const pattern = () =>
  z
    .string()
    .min(1)
    .max(PATTERN_CHARACTERS)
    .regex(HAS_NO_CONTROL, { error: 'must have no control characters' })
    .describe('`*` at the end stands for the rest; elsewhere it stays between `:` and `/`');
const keyOf = () => z.string().min(1).max(MAX_NAME_LENGTH).describe('The id or the name of a named key');

export const MachineClientForm = z.strictObject({
  name: name(),
  key: keyOf(),
  jwk: z
    .record(z.string(), z.unknown())
    .describe('A public key, for `private_key_jwt`. Absent makes a secret')
    .optional(),
});
export type MachineClientForm = z.input<typeof MachineClientForm>;

const RuleForm = z.strictObject({
  sub: pattern().describe('A pattern of the subject'),
  claims: z
    .record(z.string().min(1).max(MAX_NAME_LENGTH).regex(HAS_NO_CONTROL), pattern())
    .refine((claims) => Object.keys(claims).length <= CLAIMS_PER_RULE, {
      error: `has more than ${CLAIMS_PER_RULE} claims`,
    })
    .optional()
    .describe('Patterns of other claims, by name'),
  key: keyOf(),
});
const rules = () => z.array(RuleForm).max(RULES_PER_ISSUER);

export const TrustedIssuerForm = z.strictObject({
  name: name(),
  issuer: z.string().max(PATTERN_CHARACTERS).describe('The `iss` of its tokens, an https address'),
  audience: z
    .string()
    .min(1)
    .max(PATTERN_CHARACTERS)
    .regex(HAS_NO_CONTROL, { error: 'must have no control characters' })
    .optional()
    .describe('The only `aud` that counts. The default is the address of the gateway'),
  rules: rules(),
});
export type TrustedIssuerForm = z.input<typeof TrustedIssuerForm>;

export const TrustedChangeForm = z
  .strictObject({ name: name().optional(), rules: rules().optional() })
  .refine((form) => Object.keys(form).length > 0, { error: 'has neither name nor rules' });
export type TrustedChangeForm = z.input<typeof TrustedChangeForm>;

export const TestForm = z.strictObject({ token: z.string().min(1).max(MACHINE_JWT_CHARACTERS) });

export const boundKey = () =>
  z.object({
    id: z.string(),
    name: z.string().nullable().describe('Null once the key has ended'),
    mine: z.boolean().describe('Whether the key is yours'),
    owner: z.string().nullable().describe('The e-mail address of the person whose key it is'),
    limits: shownLimits().describe('What the key may do at most'),
  });
export type BoundKey = z.infer<ReturnType<typeof boundKey>>;

const machineClient = () =>
  z.object({
    clientId: z.string(),
    name: z.string(),
    method: z.enum(['secret', 'private_key_jwt']),
    key: boundKey(),
    createdAt: z.int().describe('Unix seconds'),
    lastUsedAt: z.int().nullable().describe('When it last got a token'),
  });
const newMachineClient = () =>
  machineClient().extend({ clientSecret: z.string().exactOptional().describe('Shown this once') });
const machineClients = () => z.object({ clients: z.array(machineClient()) });
export type ShownMachineClient = z.infer<ReturnType<typeof machineClient>>;
export type NewMachineClient = z.infer<ReturnType<typeof newMachineClient>>;
export type MachineClientList = z.infer<ReturnType<typeof machineClients>>;

const trustedRule = () =>
  z.object({
    id: z.string(),
    sub: z.string(),
    claims: z.record(z.string(), z.string()),
    key: boundKey(),
    warnings: z.array(z.string()),
    lastUsedAt: z.int().nullable().describe('When a token last fitted it'),
  });
export const trustedIssuer = () =>
  z.object({
    id: z.string(),
    name: z.string(),
    issuer: z.string(),
    audience: z.string(),
    rules: z.array(trustedRule()),
    createdAt: z.int().describe('Unix seconds'),
  });
const trustedIssuers = () => z.object({ issuers: z.array(trustedIssuer()) });
export type ShownTrustedRule = z.infer<ReturnType<typeof trustedRule>>;
export type ShownTrustedIssuer = z.infer<ReturnType<typeof trustedIssuer>>;
export type TrustedIssuerList = z.infer<ReturnType<typeof trustedIssuers>>;

const tested = () =>
  z.object({
    accepted: z.boolean(),
    says: z.string().describe('What the token would do, or which check fails'),
    issuer: z.string().exactOptional().describe('The name of the issuer'),
    sub: z.string().exactOptional().describe('The subject, once the signature is checked'),
    rule: z.string().exactOptional().describe('The pattern that fits'),
    key: z.string().exactOptional().describe('The name of the key'),
  });
export type TestedToken = z.infer<ReturnType<typeof tested>>;

const CLIENT_EXAMPLE = { name: 'Nightly report', key: 'report' };
const ISSUER_EXAMPLE = {
  name: 'GitHub Actions',
  issuer: 'https://token.actions.githubusercontent.com',
  rules: [{ sub: 'repo:acme/web:ref:refs/heads/main', key: 'deploy' }],
};
const NOT_ADMINISTRATOR = failure('You are no administrator');

export const machineOperations: Operations = () => ({
  'GET /api/machine-clients': {
    id: 'listMachineClients',
    tag: 'Administration',
    summary: 'List the clients of machines',
    access: 'read',
    caller: 'session',
    replies: {
      200: reply('Those of all administrators, newest first', machineClients()),
      403: NOT_ADMINISTRATOR,
    },
  },
  'POST /api/machine-clients': {
    id: 'createMachineClient',
    tag: 'Administration',
    summary: 'Make a client for a machine',
    description:
      'It gets tokens of an hour at `/token` with `client_credentials`, which act as you with the limits of a named key of yours.',
    access: 'write',
    caller: 'session',
    body: { schema: MachineClientForm, example: CLIENT_EXAMPLE },
    replies: {
      201: reply('The new client', newMachineClient()),
      400: failure('A bad name or public key, or a key that you do not have'),
      403: NOT_ADMINISTRATOR,
      409: failure(`You have ${MACHINE_CLIENTS_PER_PERSON} clients, or the key has just ended`),
    },
  },
  'DELETE /api/machine-clients/:id': {
    id: 'deleteMachineClient',
    tag: 'Administration',
    summary: 'End a client of a machine and its tokens',
    access: 'destroy',
    caller: 'session',
    replies: {
      200: succeeded('The client and its tokens do not work any more'),
      403: NOT_ADMINISTRATOR,
      404: failure('There is no such client'),
    },
  },
  'GET /api/trusted-issuers': {
    id: 'listTrustedIssuers',
    tag: 'Administration',
    summary: 'List the trusted issuers with their rules',
    access: 'read',
    caller: 'session',
    replies: { 200: reply('Ordered by name', trustedIssuers()), 403: NOT_ADMINISTRATOR },
  },
  'POST /api/trusted-issuers': {
    id: 'createTrustedIssuer',
    tag: 'Administration',
    summary: 'Trust the tokens of an issuer',
    description:
      'The discovery document of the issuer is read first. Each rule names a named key of yours, whose limits hold for the tokens that fit.',
    access: 'write',
    caller: 'session',
    body: { schema: TrustedIssuerForm, example: ISSUER_EXAMPLE },
    replies: {
      201: reply('The issuer', trustedIssuer()),
      400: failure(
        'A bad address, audience or pattern, a key that you do not have, or an issuer that cannot be read',
      ),
      403: NOT_ADMINISTRATOR,
      409: failure(`The issuer is trusted already, or there are ${TRUSTED_ISSUERS}`),
    },
  },
  'PATCH /api/trusted-issuers/:id': {
    id: 'changeTrustedIssuer',
    tag: 'Administration',
    summary: 'Change the name or the rules of a trusted issuer',
    description:
      'Rules that are sent again unchanged stay; those of others cannot be changed. Tokens of a rule that is left out end.',
    access: 'write',
    caller: 'session',
    body: { schema: TrustedChangeForm, example: { rules: ISSUER_EXAMPLE.rules } },
    replies: {
      200: reply('The issuer', trustedIssuer()),
      400: failure('A bad pattern, or a key that you do not have'),
      403: NOT_ADMINISTRATOR,
      404: failure('There is no such issuer'),
      409: failure('Somebody else has changed it meanwhile'),
    },
  },
  'DELETE /api/trusted-issuers/:id': {
    id: 'deleteTrustedIssuer',
    tag: 'Administration',
    summary: 'Trust an issuer no more',
    access: 'destroy',
    caller: 'session',
    replies: {
      200: succeeded('Its tokens, and those that were given for them, do not work any more'),
      403: NOT_ADMINISTRATOR,
      404: failure('There is no such issuer'),
    },
  },
  'POST /api/trusted-issuers/test': {
    id: 'testTrustedToken',
    tag: 'Administration',
    summary: 'Say what a token of an issuer would do',
    description: 'The token is not used up, and is stored nowhere.',
    access: 'read',
    caller: 'session',
    body: { schema: TestForm, example: { token: 'eyJhbGciOiJSUzI1NiJ9.e30.c2ln' } },
    replies: {
      200: reply('What it would do, or which check fails', tested()),
      400: failure('No token'),
      403: NOT_ADMINISTRATOR,
    },
  },
});
