// Gives out addresses that take one upload each, and stores what arrives there. reference: Files
import * as z from 'zod';
import { FILE_TRANSFER_BYTES } from './limits.ts';
import type { Place, Seal } from '../crypto/seal.ts';
import { createUploadTokens } from '../http/upload-tokens.ts';
import type { FileObject } from '../kit/files.ts';
import type { MemoryBudget } from '../memory/budget.ts';
import type { Ports } from '../ports/ports.ts';
import { cleanName } from './file-name.ts';
import { FileRefused } from './file-refused.ts';
import type { Files, NewFile } from './files.ts';

type Bytes = Uint8Array<ArrayBuffer>;

const Expected = z.object({ name: z.string().optional(), mimeType: z.string().optional() });

export interface UploadOffer {
  uploadUrl: string;
  expiresAt: number;
  curl: string;
}

export interface FileUploads {
  /** Throws a FileRefused when a file of this size would not fit. */
  offer(
    userId: string,
    expected: { name?: string | undefined; mimeType?: string | undefined; bytes?: number | undefined },
  ): Promise<UploadOffer>;
  /** Null when the token is unknown, used or too old. Throws a FileRefused when the file is not stored. */
  upload(
    token: string,
    body: AsyncIterable<Bytes>,
    given: NewFile,
    /** Called when the person of the token is known. Returns what aborts the upload. */
    enter: (userId: string) => AbortSignal,
  ): Promise<FileObject | null>;
}

type Needs = Pick<Ports, 'clock' | 'config' | 'digest' | 'random' | 'store'> & {
  files: Files;
  memoryBudget: MemoryBudget;
  seal: Seal;
};

const KIND = { hashed: '__file_upload_hash__', name: '__file_upload__', kind: 'upload' as const };

export function createFileUploads(deps: Needs): FileUploads {
  const { config, files, memoryBudget, seal, store } = deps;
  const tokens = createUploadTokens(deps, KIND);
  const placeOf = (userId: string): Place => [userId, 'files', KIND.name];

  return {
    async offer(userId, { name, mimeType, bytes = 1 }) {
      await files.checkRoom(userId, bytes);
      // A name may say much about its file, so it is not stored readable either.
      const expected = await seal.seal(JSON.stringify({ name, mimeType }), placeOf(userId));
      const { token, expiresAt } = await tokens.mint(userId, expected);
      const uploadUrl = `${config.SERVER_PUBLIC_URL}/f/${token}`;
      const local = cleanName(name).replaceAll("'", '_');
      return { uploadUrl, expiresAt, curl: `curl -T './${local}' '${uploadUrl}'` };
    },

    async upload(token, body, given, enter) {
      const taken = await tokens.take(token);
      if (taken === null) return null;
      const { userId, request } = taken;
      // A person who is disabled while a tool runs for them may still get a token.
      if ((await store.users.byId(userId))?.disabled_at !== null) return null;
      const signal = enter(userId);
      const opened = await seal.open(request, placeOf(userId));
      if (opened === null) return null;
      const expected = Expected.parse(JSON.parse(opened));
      const lease = memoryBudget.open(userId);
      try {
        await lease.reserve(FILE_TRANSFER_BYTES, signal);
        const kept = await files.save(userId, refuseEmpty(body), {
          ...given,
          name: given.name ?? expected.name,
          mimeTypes: [...given.mimeTypes, expected.mimeType],
        });
        return files.show(userId, kept);
      } finally {
        lease.close();
      }
    },
  };
}

async function* refuseEmpty(body: AsyncIterable<Bytes>): AsyncGenerator<Bytes> {
  let isEmpty = true;
  const pieces = body[Symbol.asyncIterator]();
  for (;;) {
    const next = await pieces.next().catch((error: unknown) => {
      // Only the sender can end a body too early.
      throw new FileRefused('BROKEN_OFF', 'The upload broke off', { cause: error });
    });
    if (next.done === true) break;
    isEmpty &&= next.value.length === 0;
    yield next.value;
  }
  if (isEmpty) throw new FileRefused('EMPTY', 'The upload is empty: send the file as the body');
}
