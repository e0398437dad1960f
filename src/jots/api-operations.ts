// Describes the portal's routes of jots, and declares their bodies. reference: Portal API; Jot tools
import * as z from 'zod';
import { failure, type Operations, reply, succeeded } from '../http/operation.ts';
import { access, password } from './integration.ts';

export const JotChange = z.strictObject({
  access: access.optional(),
  password: password.optional(),
  cors: z.boolean().optional(),
});
export type JotChange = z.input<typeof JotChange>;

/** A new jot. One that exists keeps its settings. */
export const NewUpload = z.strictObject({
  access: access.optional(),
  password: password.optional(),
});

export const RollBackBody = z.strictObject({
  version: z.int().positive().describe('The version that becomes current'),
  current: z.int().positive().describe('The version that was current when you looked'),
});

const jot = () =>
  z.object({
    name: z.string(),
    url: z.string(),
    access: z.enum(['public', 'password']),
    cors: z.boolean(),
    files: z.int(),
    bytes: z.int(),
    updatedAt: z.int().describe('Unix seconds'),
  });
const shownJot = () =>
  jot().extend({
    views: z.object({ total: z.int(), recent: z.int().describe('In the last 30 days') }),
    thumbnail: z
      .string()
      .nullable()
      .describe('The path of its picture. Null for a locked jot, and until the picture is made'),
  });
const jotList = () => z.object({ jots: z.array(shownJot()) });
const version = () =>
  z.object({
    version: z.int(),
    current: z.boolean(),
    publishedAt: z.int().describe('Unix seconds'),
    files: z.int(),
    bytes: z.int(),
    by: z
      .object({
        kind: z.enum(['session', 'key', 'agent-key', 'client']),
        name: z.string().nullable(),
      })
      .nullable()
      .describe('Who published it. Null if it was published before this was noted'),
  });
const jotPage = () =>
  shownJot().extend({
    createdAt: z.int().describe('Unix seconds'),
    content: z.array(z.object({ path: z.string(), bytes: z.int(), type: z.string() })),
    versions: z.array(version()).describe('The newest first'),
  });
const jotUpload = () =>
  z.object({
    uploadUrl: z.string().describe('Takes one gzip tarball by POST'),
    expiresAt: z.int().describe('Unix seconds'),
    maxBytes: z.int(),
    maxFiles: z.int(),
    maxUploadBytes: z.int(),
  });
export type JotPageAnswer = z.infer<ReturnType<typeof jotPage>>;
export type JotUploadAnswer = z.infer<ReturnType<typeof jotUpload>>;
export type JotAnswer = z.infer<ReturnType<typeof jot>>;
export type JotList = z.infer<ReturnType<typeof jotList>>;

const MISSING = failure('You have no jot of this name');

export const jotOperations: Operations = () => ({
  'GET /api/jots': {
    id: 'listJots',
    tag: 'Jots',
    summary: 'List your published pages',
    access: 'read',
    caller: 'portal',
    replies: { 200: reply('Your jots', jotList()) },
  },
  'GET /api/jots/:name': {
    id: 'getJot',
    tag: 'Jots',
    summary: 'Show a jot with its files and versions',
    access: 'read',
    caller: 'portal',
    replies: { 200: reply('The jot', jotPage()), 404: MISSING },
  },
  'GET /api/jots/:name/thumbnail': {
    id: 'getJotThumbnail',
    tag: 'Jots',
    summary: 'Get the picture of a jot',
    access: 'read',
    caller: 'portal',
    replies: {
      200: { description: 'A WebP image', mediaType: 'image/webp' },
      404: failure('You have no jot of this name, or it has no picture'),
    },
  },
  'POST /api/jots/:name/upload': {
    id: 'uploadJot',
    tag: 'Jots',
    summary: 'Get an address for the files of a new jot, or of a new version',
    access: 'write',
    caller: 'portal',
    body: { schema: NewUpload, example: {} },
    replies: {
      201: reply('Where to send the files', jotUpload()),
      400: failure('A bad name, a bad body, or a password that does not go with the access'),
      409: failure('Somebody else has the name'),
      429: failure('Too many jots or bytes, or too many passwords wait to be hashed'),
    },
  },
  'POST /api/jots/:name/rollback': {
    id: 'rollBackJot',
    tag: 'Jots',
    summary: 'Make an earlier version of a jot current again',
    access: 'write',
    caller: 'portal',
    body: { schema: RollBackBody, example: { version: 1, current: 2 } },
    replies: {
      200: reply('The jot', jot()),
      400: failure('A bad body'),
      404: failure('You have no jot of this name, or the version is not kept any more'),
      409: failure('Another version is current by now'),
    },
  },
  'PATCH /api/jots/:name': {
    id: 'changeJot',
    tag: 'Jots',
    summary: 'Change who may see a jot',
    access: 'write',
    caller: 'portal',
    body: { schema: JotChange, example: { access: 'password', password: 'correct horse' } },
    replies: {
      200: reply('The jot', jot()),
      400: failure('A bad body, or a password that does not go with the access'),
      404: MISSING,
      429: failure('Too many keys and passwords of the person wait to be hashed'),
    },
  },
  'DELETE /api/jots/:name': {
    id: 'deleteJot',
    tag: 'Jots',
    summary: 'Delete a jot',
    access: 'destroy',
    caller: 'portal',
    replies: { 200: succeeded('Its address answers 404 from now on'), 404: MISSING },
  },
});
