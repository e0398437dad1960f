// Bounds the files of one person in number and bytes, with what is being uploaded. reference: Limits per person
import { FILE_BYTES, FILES_PER_PERSON } from './limits.ts';
import { showBytes } from '../kit/binary.ts';
import type { Ports } from '../ports/ports.ts';
import { FileRefused } from './file-refused.ts';
import { FILES_FOLDER, parseHandle, type ParsedHandle } from '../kit/file-handle.ts';

export interface FileQuota {
  readonly maxBytes: number;
  /** Lists the person's live files. It opens none of them. */
  list(owner: string): Promise<ParsedHandle[]>;
  /** Throws a FileRefused when a file of this size would not fit. */
  check(owner: string, bytes: number): Promise<void>;
  /** Opens the share of one upload, which counts until it is closed. */
  open(owner: string, announced: number): Promise<FileShare>;
}

export interface FileShare {
  /** Counts a piece before it is stored. Throws a FileRefused when there is no room for it. */
  add(bytes: number): void;
  /** Looks again after the file was stored: another process may have stored files meanwhile. */
  confirm(): Promise<void>;
  close(): void;
}

interface Usage {
  files: number;
  bytes: number;
}

export function createFileQuota({
  blobs,
  clock,
  config: { PERSON_MAX_FILE_BYTES: maxBytes },
}: Pick<Ports, 'blobs' | 'clock' | 'config'>): FileQuota {
  /** What each person is uploading to this process. */
  const running = new Map<string, Usage>();

  function change(owner: string, files: number, bytes: number): Usage {
    const before = running.get(owner);
    const now = { files: (before?.files ?? 0) + files, bytes: (before?.bytes ?? 0) + bytes };
    if (now.files > 0) running.set(owner, now);
    else running.delete(owner);
    return now;
  }

  async function list(owner: string): Promise<ParsedHandle[]> {
    const now = clock.now();
    const prefix = `${FILES_FOLDER}${owner}/`;
    const found: ParsedHandle[] = [];
    for await (const key of blobs.list(prefix)) {
      const parsed = parseHandle(key.slice(prefix.length));
      if (parsed !== null && parsed.expiresAt > now) found.push(parsed);
    }
    return found;
  }

  async function readUsage(owner: string): Promise<Usage> {
    const files = await list(owner);
    return { files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
  }

  function refuse({ files, bytes }: Usage, added: Usage): void {
    if (files + added.files > FILES_PER_PERSON)
      throw new FileRefused(
        'FILE_QUOTA',
        `You may keep ${FILES_PER_PERSON} files. Delete some that you no longer need, or wait: each is kept for a day`,
      );
    if (bytes + added.bytes > maxBytes)
      throw new FileRefused(
        'FILE_QUOTA',
        `Your files take ${showBytes(bytes)} of ${showBytes(maxBytes)}, and this one does not fit. Delete some that you no longer need, or wait: each is kept for a day`,
      );
  }

  return {
    maxBytes,
    list,

    async check(owner, bytes) {
      refuseTooLarge(bytes);
      refuse(await readUsage(owner), { files: 1, bytes });
    },

    async open(owner, announced) {
      refuseTooLarge(announced);
      const stored = await readUsage(owner);
      refuse(stored, { files: 1, bytes: announced });
      let own = 0;
      let isOpen = true;
      change(owner, 1, 0);
      const close = (): void => {
        if (isOpen) change(owner, -1, -own);
        isOpen = false;
      };
      return {
        add(bytes) {
          own += bytes;
          const all = change(owner, 0, bytes);
          refuseTooLarge(own);
          refuse(stored, all);
        },
        confirm: async () => refuse(await readUsage(owner), { files: 0, bytes: 0 }),
        close,
      };
    },
  };
}

function refuseTooLarge(bytes: number): void {
  if (bytes > FILE_BYTES)
    throw new FileRefused('FILE_TOO_LARGE', `A file may have up to ${showBytes(FILE_BYTES)}`);
}
