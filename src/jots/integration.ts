// Defines the five tools of the built-in integration. They need the store, so they are not in integrations/.
import * as z from 'zod';
import { fileReference } from '../kit/files.ts';
import { defineIntegration, type Integration, tool } from '../kit/integration.ts';
import type { Jots } from './jots.ts';
import { logo } from './logo.ts';
import { isJotName, NAME_RULE } from './model/names.ts';
import { words } from './words.ts';
import { toPath } from './unpacking/paths.ts';
import { JotRefused } from './model/jot-refused.ts';

// bcrypt ignores everything after 72 bytes.
const MAX_PASSWORD_BYTES = 72;

const name = z
  .string()
  .refine(isJotName, NAME_RULE)
  .describe('The jot is published at /j/<name>/. 1 to 63 characters: a-z, 0-9 and -');
export const password = z
  .string()
  .min(1)
  .refine((text) => new TextEncoder().encode(text).length <= MAX_PASSWORD_BYTES, 'is longer than 72 bytes');
export const access = z.enum(['public', 'password']);
const file = z.strictObject({
  path: z.string().describe('Path inside the jot, such as index.html or img/logo.svg'),
  content: z.string().optional().describe('The file itself, as text or as base64'),
  file: fileReference.optional().describe('file:<handle> of a kept file, instead of content'),
  encoding: z.enum(['utf8', 'base64']).default('utf8').describe('How content is written: base64 for images'),
});

const described = {
  access: access.describe('Who can read it: anyone with the link, or only people who know the password'),
  password: password.describe('What readers have to enter. Goes with access "password"; at most 72 bytes'),
  cors: z
    .boolean()
    .describe(
      'Allows the scripts, styles and images of the page, and lets other web sites read its files. Leave it out: a public jot of several files gets it by itself. No effect with a password',
    ),
};

export function createJotsIntegration(jots: Jots): Integration {
  return defineIntegration({
    name: 'jots',
    version: '1.0.0',
    displayName: 'Jots',
    description: 'Publish pages, reports and small web apps under an address of this gateway',
    categories: ['built-in'],
    logo,
    auth: { type: 'none' },
    words,
    tools: [
      tool(
        'deploy_jot',
        'Publish a web page or small site and get its URL, in one call: pass all its files in files, one of them index.html, linked by relative paths (style.css, not /style.css). Without files the answer is an address for one upload with curl, to publish a folder from a shell. Replaces a jot of this name as a whole; update_jot changes parts of one. Pages run in a sandbox without localStorage and cookies. A page with a password has to be one self-contained index.html. The warnings in the answer say what will not work.',
        () => ({
          name,
          access: described.access.default('public'),
          password: described.password.optional(),
          cors: described.cors.optional(),
          files: z
            .array(file)
            .optional()
            .describe(
              'Every file of the jot. Leave it out to get an upload address: pack the folder with tar and gzip and send it there with curl, as the example in the answer does',
            ),
        }),
        ({ name: jot, files: given, ...change }, { userId, files: kept, by }) =>
          rethrowAsToolError(async () => {
            const settings = await jots.resolveSettings(userId, jot, change);
            const request = { kind: 'replace', name: jot, userId, by, ...settings } as const;
            return given === undefined ? jots.offerUpload(request) : jots.deploy(request, given, kept);
          }),
        'write',
      ),
      tool(
        'update_jot',
        'Change parts of a published jot: add or replace some files, delete files, or change access, password or cors. Everything that is not named stays. With files it happens at once, in this call. Without files, only settings change at once. The answer then has an address for one upload with curl, which adds its files and removes the paths in delete.',
        () => ({
          name,
          access: described.access.optional(),
          password: described.password.optional(),
          cors: described.cors.optional(),
          delete: z
            .array(z.string())
            .optional()
            .describe(
              'Paths of files or folders to remove. Without files they are removed only when the upload arrives. Send files: [] to remove them at once',
            ),
          files: z
            .array(file)
            .optional()
            .describe('Files to add or replace. Leave it out to upload them with curl instead'),
        }),
        ({ name: jot, files: given, delete: deleted = [], ...change }, { userId, files: kept, by }) =>
          rethrowAsToolError(async () => {
            const paths = deleted.map((path) => toPath(path.replace(/\/$/, '')));
            const changed = await jots.change(userId, jot, change, true);
            if (changed === null) throw createNotFound(jot);
            const patch = { kind: 'patch', name: jot, userId, by } as const;
            if (given === undefined) {
              return { ...changed, ...(await jots.offerUpload({ ...patch, delete: paths })) };
            }
            const committed = await jots.deploy({ ...patch, delete: paths }, given, kept);
            return { ...committed, ...(await jots.offerUpload({ ...patch, delete: [] })) };
          }),
        'write',
      ),
      tool(
        'list_jots',
        'List your jots, with the URL, access and size of each.',
        () => ({}),
        async (_args, { userId }) => ({
          jots: await jots.list(userId),
        }),
      ),
      tool(
        'get_jot',
        'Show one jot: its URL, its settings and the path, size and hash of every file.',
        () => ({ name }),
        ({ name: jot }, { userId }) =>
          rethrowAsToolError(async () => {
            const found = await jots.get(userId, jot);
            if (found === null) throw createNotFound(jot);
            const list = [...(found.manifest?.files ?? [])].map(([path, { size, hash }]) => ({
              path,
              size,
              hash,
            }));
            return { ...found.summary, createdAt: found.jot.created_at, files: list };
          }),
      ),
      tool(
        'delete_jot',
        'Delete a jot and its files, for good. Its URL then shows a page that says there is nothing here.',
        () => ({ name }),
        ({ name: jot }, { userId }) =>
          rethrowAsToolError(async () => {
            if (!(await jots.delete(userId, jot))) throw createNotFound(jot);
            return { deleted: true };
          }),
        'destroy',
      ),
    ],
  });
}

const createNotFound = (jot: string): JotRefused => new JotRefused('NOT_FOUND', `You have no jot "${jot}"`);

/** Puts the reason first, because agents look for it. */
async function rethrowAsToolError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof JotRefused
      ? new Error(`${error.reason}: ${error.message}`, { cause: error })
      : error;
  }
}
