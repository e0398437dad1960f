// Defines the five tools of the built-in integration. They need the store, so they are not in integrations/.
import * as z from 'zod';
import { defineIntegration, type Integration, tool } from '../kit/integration.ts';
import type { Jots } from './jots.ts';
import { logo } from './logo.ts';
import { isJotName, NAME_RULE } from './names.ts';
import { toPath } from './unpacking/paths.ts';
import { JotRefused } from './jot-refused.ts';

// bcrypt ignores everything after 72 bytes.
const MAX_PASSWORD_BYTES = 72;

const name = z.string().refine(isJotName, NAME_RULE).describe('Its part of the address: a-z, 0-9 and -');
export const password = z
  .string()
  .min(1)
  .refine((text) => new TextEncoder().encode(text).length <= MAX_PASSWORD_BYTES, 'is longer than 72 bytes');
export const access = z.enum(['public', 'password']);
const file = z.strictObject({
  path: z.string().describe('Such as index.html or img/logo.svg'),
  content: z.string(),
  encoding: z.enum(['utf8', 'base64']).default('utf8'),
});
const files = z
  .array(file)
  .describe('The files themselves, for callers without a shell. Leave it out to get an upload line instead');
const cors = z
  .boolean()
  .describe('Lets a public page load its own scripts, styles and images, and other sites read its files');

export function createJotsIntegration(jots: Jots): Integration {
  return defineIntegration({
    name: 'jots',
    version: '1.0.0',
    displayName: 'Jots',
    description: 'Publish pages, reports and small web apps under an address of this gateway',
    categories: ['built-in'],
    logo,
    auth: { type: 'none' },
    tools: [
      tool(
        'deploy_jot',
        'Publish a small web site or page from files and get its URL. Replaces the jot of this name as a whole. It needs an index.html. If index.html loads other files of the jot (scripts, styles, images), set cors to true: browsers block them otherwise. A page with a password should be one file.',
        () => ({
          name,
          access: access.default('public'),
          password: password.optional(),
          cors: cors.default(false),
          files: files.optional(),
        }),
        ({ name: jot, files: given, ...change }, { userId }) =>
          rethrowAsToolError(async () => {
            const settings = await jots.resolveSettings(userId, jot, change);
            const request = { kind: 'replace', name: jot, userId, ...settings } as const;
            return given === undefined ? jots.offerUpload(request) : jots.deploy(request, given);
          }),
        'write',
      ),
      tool(
        'update_jot',
        'Change files, access or password of a published jot. Settings change at once. With files they are put over what is there and delete is applied first, at once; without, the answer is an upload line that does both. Other files stay.',
        () => ({
          name,
          access: access.optional(),
          password: password.optional(),
          cors: cors.optional(),
          delete: z.array(z.string()).optional().describe('Paths of files or folders to remove'),
          files: files.optional(),
        }),
        ({ name: jot, files: given, delete: deleted = [], ...change }, { userId }) =>
          rethrowAsToolError(async () => {
            const paths = deleted.map((path) => toPath(path.replace(/\/$/, '')));
            const changed = await jots.change(userId, jot, change);
            if (changed === null) throw createNotFound(jot);
            const patch = { kind: 'patch', name: jot, userId } as const;
            if (given === undefined) {
              return { ...changed, ...(await jots.offerUpload({ ...patch, delete: paths })) };
            }
            const committed = await jots.deploy({ ...patch, delete: paths }, given);
            return { ...committed, ...(await jots.offerUpload({ ...patch, delete: [] })) };
          }),
        'write',
      ),
      tool(
        'list_jots',
        'List the jots of the user.',
        () => ({}),
        async (_args, { userId }) => ({
          jots: await jots.list(userId),
        }),
      ),
      tool(
        'get_jot',
        'Get a jot with its settings and file list.',
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
        'Delete a jot. Its address answers 404 from then on.',
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
