// Renders the input for a kind of field.
import { texts } from '../../../texts/texts.ts';
import type { Field } from './fields.ts';
import { valueText } from './value-text.ts';

const words = texts.tools;

interface Props {
  field: Field;
  draft: string;
  onChange: (draft: string) => void;
  attributes: {
    id: string;
    name: string;
    'aria-required': boolean;
    'aria-invalid': boolean;
    'aria-describedby': string;
  };
}

export function FieldInput({ field, draft, onChange, attributes }: Props) {
  const placeholder = field.default === undefined ? '' : valueText(field.default);
  const typed = {
    ...attributes,
    value: draft,
    placeholder,
    autoComplete: 'off',
    onInput: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  } as const;

  switch (field.kind) {
    case 'text':
      return <input {...typed} type="text" />;
    case 'file':
      return <input {...typed} type="text" class="mono" spellcheck={false} />;
    case 'number':
    case 'integer':
      // An input of type "number" would drop text that it cannot parse.
      return <input {...typed} type="text" inputMode={field.kind === 'integer' ? 'numeric' : 'decimal'} />;
    case 'long-text':
    case 'lines':
      return <textarea {...typed} rows={3} />;
    case 'json':
      return <textarea {...typed} class="mono" rows={4} spellcheck={false} />;
    case 'boolean':
      return (
        <Select
          {...{ field, draft, onChange, attributes }}
          options={['true', 'false'].map((each) => [each, each])}
        />
      );
    case 'choice':
      return (
        <Select
          {...{ field, draft, onChange, attributes }}
          options={field.choices.map((choice, index) => [String(index), valueText(choice)])}
        />
      );
  }
}

function Select({
  field,
  draft,
  onChange,
  attributes,
  options,
}: Props & { options: (readonly [string, string])[] }) {
  return (
    <select {...attributes} value={draft} onChange={(event) => onChange(event.currentTarget.value)}>
      <option value="">
        {field.default === undefined ? words.notSet : words.notSetDefault(valueText(field.default))}
      </option>
      {options.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}
