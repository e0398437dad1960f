// Renders the form that makes a client of a machine.
import { useRef, useState } from 'preact/hooks';
import type { NamedKey } from '../../api/agent-keys.ts';
import { type MadeMachineClient, type MachineClient, makeMachineClient } from '../../api/machines.ts';
import { ConnectFieldRow } from '../../connect/connect-field.tsx';
import { focusField } from '../../parts/focus-field.ts';
import { Form } from '../../parts/form.tsx';
import { RadioChoices } from '../../parts/radio-choices.tsx';
import { useWork } from '../../parts/use-work.ts';
import { machinesTexts } from '../../texts/machines.ts';
import { KeySelect } from './key-select.tsx';

const words = machinesTexts.clients;
type Method = MachineClient['method'];
const METHODS = (['secret', 'private_key_jwt'] as const).map((value) => ({ value, ...words.methods[value] }));

interface Props {
  keys: readonly NamedKey[];
  onMade: (made: MadeMachineClient) => void;
  onCancel: () => void;
}

/** Null for a text that is no JSON object. */
function readKey(text: string): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null || !('kty' in parsed)) return null;
    return Object.fromEntries(Object.entries(parsed));
  } catch {
    return null;
  }
}

export function NewClient({ keys, onMade, onCancel }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const [name, setName] = useState('');
  const [key, setKey] = useState('');
  const [method, setMethod] = useState<Method>('secret');
  const [jwk, setJwk] = useState('');
  const [problems, setProblems] = useState<Record<string, string>>({});
  const { busy, problem, setProblem, run } = useWork();

  function submit(): void {
    const publicKey = method === 'secret' ? undefined : readKey(jwk);
    const found = {
      ...(name.trim() === '' ? { name: machinesTexts.nameMissing } : {}),
      ...(key === '' ? { key: machinesTexts.key.missing } : {}),
      ...(publicKey === null ? { jwk: words.jwkWrong } : {}),
    };
    setProblem();
    setProblems(found);
    const [wrong] = Object.keys(found);
    if (wrong !== undefined) return focusField(form.current, wrong);
    const asked = { name: name.trim(), key, ...(publicKey ? { jwk: publicKey } : {}) };
    void run(async () => onMade(await makeMachineClient(asked)));
  }

  return (
    <section class="panel" aria-labelledby="new-client">
      <h2 id="new-client">{words.title}</h2>
      <Form
        element={form}
        class="connect-form machine-form"
        busy={busy}
        problem={problem}
        submitLabel={words.submit}
        onSubmit={submit}
        onCancel={onCancel}
      >
        <div class="machine-fields">
          <ConnectFieldRow
            field={{
              key: 'name',
              kind: 'text',
              label: machinesTexts.name,
              required: true,
              placeholder: words.namePlaceholder,
              help: words.nameHelp,
            }}
            value={name}
            problem={problems['name'] ?? ''}
            onChange={setName}
          />
          <KeySelect keys={keys} name="key" chosen={key} problem={problems['key'] ?? ''} onChoose={setKey} />
        </div>
        <RadioChoices legend={words.method} choices={METHODS} chosen={method} onChoose={setMethod} />
        {method === 'private_key_jwt' && (
          <ConnectFieldRow
            field={{ key: 'jwk', kind: 'json', label: words.jwk, required: true, help: words.jwkHelp }}
            value={jwk}
            problem={problems['jwk'] ?? ''}
            onChange={setJwk}
          />
        )}
      </Form>
    </section>
  );
}
