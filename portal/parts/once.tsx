// Shows a value that is seen only once, such as a secret, ready to be copied.
import { useId } from 'preact/hooks';
import { CopyButton } from './copy-button.tsx';
import '../styles/keys.css';

export function Once({ label, value }: { label: string; value: string }) {
  const id = useId();
  return (
    <div class="once">
      <label for={id}>{label}</label>
      <div class="made-key-line">
        <input id={id} class="key" readOnly value={value} onFocus={(event) => event.currentTarget.select()} />
        <CopyButton text={() => value} of={label} />
      </div>
    </div>
  );
}
