// Publishes a site: packs it, sends it, and tells how far that is.
import { useRef, useState } from 'preact/hooks';
import { type JotChange, type JotUpload, offerJotUpload, sendJotArchive } from '../../../api/jots.ts';
import { binarySize } from '../../../parts/amounts.ts';
import { texts } from '../../../texts/texts.ts';
import { pack } from './pack.ts';
import { type Site, SiteProblem } from './site.ts';

const { errors } = texts.jots.publish;

export type Progress =
  | { state: 'idle' }
  | { state: 'packing' }
  | { state: 'sending'; sent: number; all: number };

export interface Publishing {
  progress: Progress;
  /** Resolves to false when the person has cancelled. Rejects with what the person can read. */
  publish: (name: string, site: Site, settings: Pick<JotChange, 'access' | 'password'>) => Promise<boolean>;
  cancel: () => void;
}

export function usePublish(): Publishing {
  const [progress, setProgress] = useState<Progress>({ state: 'idle' });
  const running = useRef<AbortController>(null);

  return {
    progress,
    cancel: () => running.current?.abort(),
    async publish(name, site, settings) {
      const work = new AbortController();
      running.current = work;
      const { signal } = work;
      setProgress({ state: 'packing' });
      try {
        const offer = await offerJotUpload(name, settings, signal);
        refuseTooMuch(site, offer);
        const archive = await pack(site.files);
        signal.throwIfAborted();
        if (archive.size > offer.maxUploadBytes)
          throw new SiteProblem(
            errors.tooLargePacked(binarySize(archive.size), binarySize(offer.maxUploadBytes)),
          );
        const onProgress = (sent: number) => setProgress({ state: 'sending', sent, all: archive.size });
        onProgress(0);
        await sendJotArchive(offer, archive, { signal, onProgress });
        return true;
      } catch (error) {
        if (signal.aborted) return false;
        throw error;
      } finally {
        setProgress({ state: 'idle' });
      }
    },
  };
}

function refuseTooMuch({ files, bytes }: Site, { maxBytes, maxFiles }: JotUpload): void {
  if (files.length > maxFiles) throw new SiteProblem(errors.tooMany(files.length, maxFiles));
  if (bytes > maxBytes) throw new SiteProblem(errors.tooLarge(binarySize(bytes), binarySize(maxBytes)));
}
