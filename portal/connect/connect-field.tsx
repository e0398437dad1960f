// Renders a form field with its label, help text and error.
import { useId } from 'preact/hooks';
import { texts } from '../texts/texts.ts';
import type { ConnectField } from './form-fields.ts';

interface Props {
  field: ConnectField;
  value: string;
  problem: string;
  onChange: (value: string) => void;
}

export function ConnectFieldRow({ field, value, problem, onChange }: Props) {
  const id = useId();
  return (
    <div class="connect-field">
      <label for={id}>
        {field.label}
        {!field.required && <span class="connect-optional">{texts.connect.optional}</span>}
      </label>
      <Input {...{ field, value, onChange, id }} invalid={problem !== ''} />
      <p id={`${id}-help`} class="connect-help">
        {field.help}
      </p>
      <p id={`${id}-problem`} class="connect-problem">
        {problem}
      </p>
    </div>
  );
}

type InputProps = Omit<Props, 'problem'> & { id: string; invalid: boolean };

function Input({ field, value, onChange, id, invalid }: InputProps) {
  const attributes = {
    id,
    name: field.key,
    value,
    'aria-required': field.required,
    'aria-invalid': invalid,
    'aria-describedby': `${id}-help ${id}-problem`,
  } as const;
  const typed = {
    ...attributes,
    autoComplete: 'off',
    spellcheck: false,
    onInput: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  } as const;

  switch (field.kind) {
    case 'text':
      return <input {...typed} type="text" placeholder={field.placeholder ?? ''} />;
    case 'secret':
      return <input {...typed} type="password" placeholder={field.placeholder ?? ''} />;
    case 'json':
      return <textarea {...typed} class="mono" rows={5} />;
    case 'choice':
      return (
        <select {...attributes} onChange={(event) => onChange(event.currentTarget.value)}>
          <option value="">{emptyChoice(field)}</option>
          {field.options?.map((option) => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
        </select>
      );
  }
}

/** The first choice is the default of an integration. reference: API key form */
function emptyChoice({ required, options = [] }: ConnectField): string {
  const [first = ''] = options;
  if (required || first === '') return texts.connect.choose;
  // Short values are codes of a region, such as us.
  return texts.connect.byDefault(first.length <= 2 ? first.toUpperCase() : first);
}
