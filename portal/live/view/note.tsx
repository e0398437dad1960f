// Shows a notice about the site until the person closes it.
import { CopyButton } from '../../parts/copy-button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { texts } from '../../texts/texts.ts';
import type { Notice } from '../remote/state.ts';

const words = texts.live.notices;

export function Note({ notice, onClose }: { notice: Notice | null; onClose: () => void }) {
  return (
    <div class="live-notes" role="status">
      {notice !== null && (
        <div class="live-note">
          <p>{wordsOf(notice)}</p>
          {notice.kind === 'copied' && <CopyButton text={() => notice.text} label={words.copy} />}
          <button type="button" class="icon-button" aria-label={texts.actions.close} onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
      )}
    </div>
  );
}

function wordsOf(notice: Notice): string {
  switch (notice.kind) {
    case 'crashed':
      return words.crashed;
    case 'upload':
      return words.upload;
    case 'download':
      return words.download(notice.file);
    case 'copied':
      return words.copied;
    case 'too-long':
      return words.tooLong;
    case 'no-address':
      return words.noAddress;
  }
}
