// Renders an argument: its name, input, hint and error.
import { useId } from 'preact/hooks';
import { texts } from '../../../texts/texts.ts';
import { FieldInput } from './field-input.tsx';
import type { Field } from './fields.ts';
import { FilePicker } from './file-picker.tsx';
import { valueText } from './value-text.ts';

const words = texts.tools;

interface Props {
  field: Field;
  draft: string;
  problem: string;
  isHidden: boolean;
  onChange: (draft: string) => void;
  /** Is told when an upload for the field begins and ends. */
  onBusy: (busy: boolean) => void;
}

export function FieldRow({ field, draft, problem, isHidden, onChange, onBusy }: Props) {
  const id = useId();
  const takesFiles = field.kind === 'file' || field.items !== undefined;
  const input = (
    <FieldInput
      field={field}
      draft={draft}
      onChange={onChange}
      attributes={{
        id,
        name: field.name,
        'aria-required': field.required,
        'aria-invalid': problem !== '',
        'aria-describedby': `${id}-hint ${id}-problem${takesFiles ? ` ${id}-files` : ''}`,
      }}
    />
  );
  return (
    <div class="argument" hidden={isHidden}>
      <label for={id} class="argument-name">
        <code>{field.name}</code>
        {field.required && <span class="argument-required">{words.required}</span>}
      </label>
      {takesFiles ? (
        <FilePicker id={`${id}-files`} field={field} draft={draft} onChange={onChange} onBusy={onBusy}>
          {input}
        </FilePicker>
      ) : (
        input
      )}
      <p id={`${id}-hint`} class="argument-hint">
        {hintOf(field)}
      </p>
      <p id={`${id}-problem`} class="argument-problem">
        {problem}
      </p>
    </div>
  );
}

function hintOf({ kind, description, required, default: byDefault }: Field): string {
  // The first option of an optional choice already names the default.
  const saysDefault = byDefault !== undefined && (kind === 'choice' || kind === 'boolean');
  const sentences = [
    description === '' || /[.!?]$/.test(description) ? description : `${description}.`,
    kind === 'lines' ? words.onePerLine : '',
    // The tool's own description may say so already.
    kind === 'json' && !description.includes('JSON') ? words.asJson : '',
    required || saysDefault ? '' : optionalHint(byDefault),
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

function optionalHint(byDefault: unknown): string {
  return byDefault === undefined ? `${words.optional}.` : `${words.byDefault(valueText(byDefault))}.`;
}
