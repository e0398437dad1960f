// Renders the form of a product, new or stored: checks it, sends it, and keeps what was typed after a refusal.
import { useRef, useState } from 'preact/hooks';
import { ConnectFieldRow } from '../../connect/connect-field.tsx';
import { focusField } from '../../parts/focus-field.ts';
import { Form } from '../../parts/form.tsx';
import { type Outcome, OutcomeLine } from '../../parts/outcome-line.tsx';
import { RadioChoices } from '../../parts/radio-choices.tsx';
import { useWork } from '../../parts/use-work.ts';
import { productsTexts } from '../../texts/products.ts';
import { IntegrationPicker } from '../limits/integration-picker.tsx';
import { FaceFields } from './face-fields.tsx';
import { findProblems, type ProductDraft, type ProductProblems } from './product-draft.ts';

const words = productsTexts.form;
const ACCESSES = (['read', 'write', 'destroy'] as const).map((value) => ({
  value,
  ...words.accesses[value],
}));
const SCOPES = [
  { value: 'all', name: words.all, about: words.allAbout },
  { value: 'some', name: words.some, about: words.someAbout },
] as const;

interface Props {
  draft: ProductDraft;
  isNew: boolean;
  /** How many rules of its own the key has. They are made elsewhere. */
  rules?: number;
  /** What the last submit did, where the form stays. */
  outcome?: Outcome | undefined;
  onChange: (draft: ProductDraft) => void;
  onSubmit: () => Promise<void>;
  onCancel?: () => void;
}

export function ProductFormFields({ draft, isNew, rules = 0, outcome, onChange, onSubmit, onCancel }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const [problems, setProblems] = useState<ProductProblems>({});
  const { busy, problem, run } = useWork();
  const change = (part: Partial<ProductDraft>) => onChange({ ...draft, ...part });

  function submit(): void {
    const found = findProblems(draft);
    setProblems(found);
    const [wrong] = Object.keys(found);
    if (wrong !== undefined) return focusField(form.current, wrong);
    void run(onSubmit);
  }

  return (
    <Form
      element={form}
      class="connect-form limits-form"
      busy={busy}
      problem={problem}
      submitLabel={isNew ? words.submit : words.save}
      onSubmit={submit}
      onCancel={onCancel}
      after={!isNew && <OutcomeLine outcome={outcome} />}
    >
      <ConnectFieldRow
        field={{ key: 'name', kind: 'text', label: words.name, required: true, help: words.nameHelp }}
        value={draft.name}
        problem={problems.name ?? ''}
        onChange={(name) => change({ name })}
      />
      <ConnectFieldRow
        field={{
          key: 'returnTo',
          kind: 'json',
          label: words.returnTo,
          required: true,
          help: words.returnToHelp,
        }}
        value={draft.returnTo}
        problem={problems.returnTo ?? ''}
        onChange={(returnTo) => change({ returnTo })}
      />
      <RadioChoices
        legend={words.access}
        choices={ACCESSES}
        chosen={draft.access}
        onChoose={(access) => change({ access })}
      />
      <div class="limits-part">
        <RadioChoices
          legend={words.integrations}
          choices={SCOPES}
          chosen={draft.isAll ? 'all' : 'some'}
          onChoose={(scope) => change({ isAll: scope === 'all' })}
        />
        {!draft.isAll && (
          <IntegrationPicker
            chosen={draft.integrations}
            problem={problems.integrations ?? ''}
            onChange={(integrations) => change({ integrations })}
          />
        )}
        {rules > 0 && <p class="muted">{words.rules(rules)}</p>}
      </div>
      <div class="limits-line">
        <ConnectFieldRow
          field={{ key: 'rate', kind: 'text', label: words.rate, required: false, help: words.rateHelp }}
          value={draft.rate}
          problem={problems.rate ?? ''}
          onChange={(rate) => change({ rate })}
        />
        <ConnectFieldRow
          field={{
            key: 'maxActors',
            kind: 'text',
            label: words.maxActors,
            required: false,
            help: isNew ? words.maxActorsHelp : words.maxActorsKept,
          }}
          value={draft.maxActors}
          problem={problems.maxActors ?? ''}
          onChange={(maxActors) => change({ maxActors })}
        />
      </div>
      <FaceFields draft={draft} onChange={change} />
      {isNew && (
        <ConnectFieldRow
          field={{
            key: 'notifyTo',
            kind: 'text',
            label: words.notifyTo,
            required: false,
            placeholder: 'https://acme.example/hook',
            help: words.notifyToHelp,
          }}
          value={draft.notifyTo}
          problem={problems.notifyTo ?? ''}
          onChange={(notifyTo) => change({ notifyTo })}
        />
      )}
    </Form>
  );
}
