// Changes a product in place: its name, addresses, limits, looks, and where its events go.
import { useState } from 'preact/hooks';
import { changeProduct, type Product } from '../../api/products.ts';
import { ConnectFieldRow } from '../../connect/connect-field.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Form } from '../../parts/form.tsx';
import { type Outcome, OutcomeLine } from '../../parts/outcome-line.tsx';
import { useWork } from '../../parts/use-work.ts';
import { productsTexts } from '../../texts/products.ts';
import type { ShownOnce } from './made-key.tsx';
import { draftOf, factsOf, isAddress, limitsOf } from './product-draft.ts';
import { ProductFormFields } from './product-form.tsx';

const words = productsTexts.events;
const { form: formWords } = productsTexts;

interface Props {
  product: Product;
  onChanged: (product: Product) => void;
  onOnce: (once: ShownOnce) => void;
}

export function Settings({ product, onChanged, onOnce }: Props) {
  const [draft, setDraft] = useState(() => draftOf(product));
  const [outcome, setOutcome] = useState<Outcome>();
  return (
    <div class="product-settings">
      <section class="panel" aria-label={productsTexts.one.parts.settings}>
        <ProductFormFields
          draft={draft}
          isNew={false}
          rules={product.rules?.length ?? 0}
          outcome={outcome}
          onChange={(next) => {
            setDraft(next);
            setOutcome(undefined);
          }}
          onSubmit={async () => {
            const limits = limitsOf(draft, product.rules);
            const now = await changeProduct(product.id, { ...factsOf(draft), limits });
            setDraft(draftOf(now));
            onChanged(now);
            setOutcome({ words: formWords.saved });
          }}
        />
      </section>
      <Events product={product} onChanged={onChanged} onOnce={onOnce} />
    </div>
  );
}

function Events({ product, onChanged, onOnce }: Props) {
  const { id, notifies } = product;
  const [url, setUrl] = useState('');
  const [wrong, setWrong] = useState('');
  const [outcome, setOutcome] = useState<Outcome>();
  const { busy, problem, run } = useWork();

  async function send(): Promise<void> {
    const { notifySecret, ...now } = await changeProduct(id, { notifyTo: url.trim() });
    onChanged(now);
    setUrl('');
    setOutcome(undefined);
    onOnce({ notifySecret });
  }

  function submit(): void {
    const isWrong = !isAddress(url);
    setWrong(isWrong ? formWords.urlWrong : '');
    if (!isWrong) void run(send);
  }

  return (
    <section class="panel" aria-labelledby="product-events">
      <h2 id="product-events">{words.title}</h2>
      <p class="muted">{notifies ? words.on : words.off}</p>
      <OutcomeLine outcome={outcome} />
      <Form
        class="connect-form limits-form"
        busy={busy}
        problem={problem}
        submitLabel={notifies ? words.change : words.add}
        submitClass="button"
        onSubmit={submit}
      >
        <ConnectFieldRow
          field={{
            key: 'notifyTo',
            kind: 'text',
            label: formWords.notifyTo,
            required: true,
            placeholder: 'https://acme.example/hook',
            help: formWords.notifyToHelp,
          }}
          value={url}
          problem={wrong}
          onChange={setUrl}
        />
      </Form>
      {notifies && (
        <ConfirmButton
          label={words.remove}
          title={words.removeTitle}
          onConfirm={async () => {
            onChanged(await changeProduct(id, { notifyTo: null }));
            setOutcome({ words: words.removed, takesFocus: true });
          }}
        >
          <p>{words.removeEffect}</p>
        </ConfirmButton>
      )}
    </section>
  );
}
