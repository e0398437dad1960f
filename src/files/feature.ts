// Kept files: what tools give and take by a handle instead of a text.
import type { Config } from '../config/config.ts';
import { FILES_PER_PERSON } from './limits.ts';
import type { Feature } from '../kit/feature.ts';
import { unlessAway } from '../kit/personal.ts';
import { fileOperations } from './api-operations.ts';
import { createFileApiRoutes } from './api-routes.ts';
import { createFiles, type Files } from './files.ts';
import { createFilesIntegration } from './integration.ts';
import { createFileRoutes } from './routes.ts';
import { createOpenToolFiles } from './tool-files.ts';
import { createFileUploads, type FileUploads } from './uploads.ts';

/** Each page of an export is read when the one before it was sent. */
const PAGE = 500;

export const filesFeature = {
  name: 'files',
  parts: {
    files: createFiles,
    fileUploads: createFileUploads,
    openToolFiles: ({ files }: { files: Files }) => createOpenToolFiles(files),
  },
  integrations: [
    ({ files, fileUploads }: { files: Files; fileUploads: FileUploads }) =>
      createFilesIntegration(files, fileUploads),
  ],
  routes: { portal: [createFileApiRoutes], machine: [createFileRoutes] },
  operations: [fileOperations],
  chores: ({ files }: { files: Pick<Files, 'sweep'> }) => ({ files: () => files.sweep() }),
  personal: {
    export:
      ({ files }: { files: Pick<Files, 'list'> }) =>
      ({ id }) => ({ files: () => listFiles(files, id) }),
    erase:
      ({ files }: { files: Pick<Files, 'deleteAll'> }) =>
      (userId) =>
        files.deleteAll(userId),
  },
  limits:
    ({ config, files }: { config: Config; files: Pick<Files, 'list'> }) =>
    async (userId) => {
      const kept = await unlessAway(files.list(userId, { offset: 0, limit: 0 }));
      return [
        { name: 'files', used: kept?.total ?? null, limit: FILES_PER_PERSON },
        { name: 'fileBytes', used: kept?.bytes ?? null, limit: config.PERSON_MAX_FILE_BYTES },
      ];
    },
} satisfies Feature;

async function* listFiles(
  files: Pick<Files, 'list'>,
  userId: string,
): AsyncGenerator<object, void, undefined> {
  for (let offset = 0; ; offset += PAGE) {
    const page = await files.list(userId, { offset, limit: PAGE });
    yield* page.files;
    if (offset + PAGE >= page.total) return;
  }
}
