// Lists the keyboard shortcuts of the portal in a dialog.
import { Dialog } from '../parts/dialog.tsx';
import { paletteTexts } from '../texts/palette.ts';
import { texts } from '../texts/texts.ts';
import '../styles/palette.css';

const words = paletteTexts.shortcuts;

export function Shortcuts({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={words.title} onClose={onClose}>
      {(close) => (
        <>
          <dl class="shortcuts">
            {words.rows.map(({ keys, also, about }) => (
              <div key={about}>
                <dt>
                  <Keys keys={keys} />
                  {also !== undefined && (
                    <>
                      <span class="muted">{words.or}</span>
                      <Keys keys={also} />
                    </>
                  )}
                </dt>
                <dd>{about}</dd>
              </div>
            ))}
          </dl>
          <div class="dialog-actions">
            <button type="button" class="button" onClick={close}>
              {texts.actions.close}
            </button>
          </div>
        </>
      )}
    </Dialog>
  );
}

function Keys({ keys }: { keys: readonly string[] }) {
  return (
    <>
      {keys.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </>
  );
}
