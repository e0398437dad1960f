// Shows a service key once, and the secret of its events, with the first lines of a back end.
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Product } from '../../api/products.ts';
import { Chips } from '../../parts/chips.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Once } from '../../parts/once.tsx';
import { productsTexts } from '../../texts/products.ts';
import { clientLines, curlLines } from './first-lines.ts';

const words = productsTexts.key;
const HIDDEN = 'svk_••••••••';
const WAYS = [
  { value: 'curl', label: words.ways.curl, lines: curlLines },
  { value: 'client', label: words.ways.client, lines: clientLines },
] as const;

export interface ShownOnce {
  key?: string | undefined;
  notifySecret?: string | undefined;
}

interface Props {
  product: Pick<Product, 'integrations' | 'name' | 'returnTo'>;
  once: ShownOnce;
  onDone: () => void;
}

export function MadeKey({ product, once: { key, notifySecret }, onDone }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  // The pressed button has just disappeared.
  useLayoutEffect(() => queueMicrotask(() => heading.current?.focus()), []);
  return (
    <section class="panel made-key" aria-labelledby={`${id}-title`}>
      <h2 ref={heading} id={`${id}-title`} tabIndex={-1}>
        {key === undefined ? words.secret : words.title(product.name)}
      </h2>
      {key !== undefined && (
        <>
          <p class="muted">{words.once}</p>
          <Once label={words.label} value={key} />
        </>
      )}
      {notifySecret !== undefined && (
        <>
          <Once label={words.secret} value={notifySecret} />
          <p class="muted">{words.secretOnce}</p>
        </>
      )}
      {key !== undefined && <Start product={product} serviceKey={key} />}
      <p>
        <button type="button" class="button" onClick={onDone}>
          {words.done}
        </button>
      </p>
    </section>
  );
}

function Start({ product, serviceKey }: Pick<Props, 'product'> & { serviceKey: string }) {
  const [chosen, setChosen] = useState<string>(WAYS[0].value);
  const { label, lines, value } = WAYS.find((way) => way.value === chosen) ?? WAYS[0];
  const write = (key: string) => lines({ origin: location.origin, key, product });
  return (
    <div class="made-key-use">
      <h3>{words.start}</h3>
      <p>{words.startLead}</p>
      <Chips label={words.way} choices={WAYS} chosen={value} onChoose={setChosen} />
      <CodeBlock code={write(HIDDEN)} label={words.lines(label)} copy={() => write(serviceKey)} />
      <p class="muted">{words.hidden}</p>
    </div>
  );
}
