// Chooses the mark and the colours of a product, and shows how its pages look with them.
import { useId, useState } from 'preact/hooks';
import { textOn } from '../../api/text-on.ts';
import { productsTexts } from '../../texts/products.ts';
import type { ProductDraft } from './product-draft.ts';
import { ProductMark } from './product-mark.tsx';

const words = productsTexts.form;
const KINDS = ['image/png', 'image/jpeg', 'image/webp'];
/** The gateway takes a `data:` address of at most this length. */
const MAX_CHARACTERS = 65_536;

interface Props {
  draft: ProductDraft;
  onChange: (change: Partial<ProductDraft>) => void;
}

export function FaceFields({ draft, onChange }: Props) {
  const id = useId();
  const [problem, setProblem] = useState('');

  async function read(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    const mark = KINDS.includes(file.type) ? await addressOf(file) : '';
    const isTaken = mark !== '' && mark.length <= MAX_CHARACTERS;
    setProblem(isTaken ? '' : words.markWrong);
    if (isTaken) onChange({ mark });
  }

  return (
    <fieldset class="limits-part product-face">
      <legend>{words.face}</legend>
      <div class="product-face-fields">
        <div class="connect-field">
          <label for={`${id}-mark`}>{words.mark}</label>
          <input
            id={`${id}-mark`}
            name="mark"
            type="file"
            accept={KINDS.join()}
            aria-invalid={problem !== ''}
            aria-describedby={`${id}-help ${id}-problem`}
            onChange={({ currentTarget }) => void read(currentTarget.files?.[0])}
          />
          <p id={`${id}-help`} class="connect-help">
            {words.markHelp}
          </p>
          <p id={`${id}-problem`} class="connect-problem">
            {problem}
          </p>
        </div>
        {draft.mark !== null && (
          <p>
            <button type="button" class="button" onClick={() => onChange({ mark: null })}>
              {words.removeMark}
            </button>
          </p>
        )}
        <label class="product-check">
          <input
            type="checkbox"
            checked={draft.isColoured}
            onChange={() => onChange({ isColoured: !draft.isColoured })}
          />
          {words.coloured}
        </label>
        {draft.isColoured && (
          <div class="product-colours">
            {(['light', 'dark'] as const).map((theme) => (
              <div key={theme} class="connect-field">
                <label for={`${id}-${theme}`}>{words[theme]}</label>
                <input
                  id={`${id}-${theme}`}
                  type="color"
                  value={draft[theme]}
                  onInput={({ currentTarget }) => onChange({ [theme]: currentTarget.value })}
                />
              </div>
            ))}
          </div>
        )}
      </div>
      <div class="product-previews" role="group" aria-label={words.preview}>
        {(['light', 'dark'] as const).map((theme) => (
          <Preview key={theme} draft={draft} theme={theme} />
        ))}
      </div>
    </fieldset>
  );
}

/** What the actor's browser shows first, in the theme of its system. */
function Preview({ draft, theme }: Pick<Props, 'draft'> & { theme: 'light' | 'dark' }) {
  const name = draft.name.trim() === '' ? words.unnamed : draft.name.trim();
  const colour = draft[theme];
  const style = draft.isColoured ? { backgroundColor: colour, color: textOn(colour) } : {};
  return (
    <div class={theme === 'light' ? 'product-preview' : 'product-preview product-preview-dark'}>
      {draft.mark !== null && <ProductMark mark={draft.mark} name={name} />}
      <p class="product-preview-title">{words.previewTitle(name)}</p>
      <span class="product-preview-button" style={style}>
        {words.previewButton}
      </span>
    </div>
  );
}

/** Empty for a file that cannot be read. */
function addressOf(file: File): Promise<string> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.addEventListener('loadend', () => resolve(typeof reader.result === 'string' ? reader.result : ''));
    reader.readAsDataURL(file);
  });
}
