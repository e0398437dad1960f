// Uploads chosen files one after the other, and reports the state of the upload.
import { useEffect, useRef, useState } from 'preact/hooks';
import { type KeptFile, uploadFile } from '../../../api/files.ts';
import { explain } from '../../../parts/error-notice.tsx';
import { texts } from '../../../texts/texts.ts';

const words = texts.tools.files;

export type Upload =
  | { state: 'idle' }
  | { state: 'uploading'; name: string; bytes: number; sent: number }
  | { state: 'cancelled' }
  | { state: 'refused'; message: string };

interface Uploads {
  upload: Upload;
  start: (files: readonly File[]) => void;
  cancel: () => void;
}

/** Leaving the page cancels the upload. `onFile` returns why the form cannot take the file, or nothing. */
export function useUpload(onFile: (file: KeptFile) => string, onBusy: (busy: boolean) => void): Uploads {
  const [upload, setUpload] = useState<Upload>({ state: 'idle' });
  const running = useRef<AbortController | null>(null);
  // An upload ends in a later rendering than it began in, and other fields may have changed meanwhile.
  const newest = useRef({ onFile, onBusy });
  newest.current = { onFile, onBusy };

  useEffect(() => () => running.current?.abort(), []);

  async function start(files: readonly File[]): Promise<void> {
    if (running.current !== null || files.length === 0) return;
    const controller = new AbortController();
    running.current = controller;
    newest.current.onBusy(true);
    let end: Upload = { state: 'idle' };
    try {
      for (const file of files) {
        end = await send(file, controller.signal);
        if (end.state !== 'idle') break;
      }
    } finally {
      running.current = null;
      newest.current.onBusy(false);
      setUpload(end);
    }
  }

  async function send(file: File, signal: AbortSignal): Promise<Upload> {
    const { name, size: bytes } = file;
    const refused = (why: string): Upload => ({ state: 'refused', message: words.refused(name, why) });
    if (bytes === 0) return refused(words.empty);
    const onProgress = (sent: number) => setUpload({ state: 'uploading', name, bytes, sent });
    onProgress(0);
    try {
      const kept = await uploadFile(file, { signal, onProgress });
      const problem = newest.current.onFile(kept);
      return problem === '' ? { state: 'idle' } : refused(problem);
    } catch (error) {
      return signal.aborted ? { state: 'cancelled' } : refused(explain(error));
    }
  }

  return { upload, start: (files) => void start(files), cancel: () => running.current?.abort() };
}
