// Asks for the address of a service, or for the text of an OpenAPI description.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ImportSource, SourceKind } from '../../api/import-changes.ts';
import { ConnectFieldRow } from '../../connect/connect-field.tsx';
import { size } from '../../parts/amounts.ts';
import { Form } from '../../parts/form.tsx';
import { Icon } from '../../parts/icon.tsx';
import { SelectFilter } from '../../parts/select-filter.tsx';
import { importsTexts } from '../../texts/imports.ts';
import '../../styles/explorer-form.css';

const words = importsTexts.add;
const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** A larger text makes a text area slow, so the form shows the name of the file instead. */
const MAX_SHOWN = 100_000;

export interface SourceDraft {
  by: 'address' | 'document';
  address: string;
  /** Empty while the gateway finds it out. */
  kind: SourceKind | '';
  document: string;
  /** The name and the size of the file that the document came from. Empty for a pasted text. */
  file: string;
}

export const NO_SOURCE: SourceDraft = { by: 'address', address: '', kind: '', document: '', file: '' };

export function sourceOf({ by, address, document, kind }: SourceDraft): ImportSource {
  if (by === 'document') return { document };
  return { address: address.trim(), ...(kind === '' ? {} : { kind }) };
}

interface Props {
  draft: SourceDraft;
  /** Whether the gateway is looking at the source now. */
  busy: boolean;
  onChange: (draft: SourceDraft) => void;
  onLook: () => void;
}

export function SourceForm({ draft, busy, onChange, onLook }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const [problem, setProblem] = useState('');
  const isFirst = useRef(true);
  const { by } = draft;

  // The focus follows the person to the other field, and stays away when the page opens.
  useLayoutEffect(() => {
    if (isFirst.current) isFirst.current = false;
    else focusField();
  }, [by]);

  function focusField(): void {
    form.current
      ?.querySelector<HTMLElement>('input:not([type=file]), textarea, .import-file button')
      ?.focus();
  }

  function edit(change: Partial<SourceDraft>): void {
    setProblem('');
    onChange({ ...draft, ...change });
  }

  function submit(): void {
    const found = findSourceProblem(draft);
    setProblem(found);
    if (found === '') onLook();
    else focusField();
  }

  return (
    <Form
      element={form}
      class="panel connect-form import-source"
      busy={busy}
      submitLabel={words.look}
      onSubmit={submit}
    >
      {by === 'address' ? (
        <>
          <ConnectFieldRow
            field={{
              key: 'address',
              kind: 'text',
              label: words.address,
              required: true,
              placeholder: 'https://api.example.com',
              help: words.addressHelp,
            }}
            value={draft.address}
            problem={problem}
            onChange={(address) => edit({ address })}
          />
          <KindField value={draft.kind} onChange={(kind) => edit({ kind })} />
        </>
      ) : (
        <DocumentField draft={draft} problem={problem} onProblem={setProblem} onChange={edit} />
      )}
      <p>
        <button
          type="button"
          class="link-button"
          onClick={() => edit({ by: by === 'address' ? 'document' : 'address' })}
        >
          {by === 'address' ? words.useDocument : words.useAddress}
        </button>
      </p>
    </Form>
  );
}

const KINDS = ['mcp', 'openapi', 'graphql'] as const;

function KindField({
  value,
  onChange,
}: {
  value: SourceDraft['kind'];
  onChange: (kind: SourceDraft['kind']) => void;
}) {
  return (
    <SelectFilter
      label={words.kind}
      any={words.findOut}
      choices={KINDS.map((kind) => ({ value: kind, label: words.kinds[kind] }))}
      chosen={value}
      onChoose={(chosen) => onChange(KINDS.find((kind) => kind === chosen) ?? '')}
    />
  );
}

function findSourceProblem({ by, address, document }: SourceDraft): string {
  return (by === 'address' ? address : document).trim() === '' ? words.missing : '';
}

interface DocumentProps {
  draft: SourceDraft;
  problem: string;
  onProblem: (problem: string) => void;
  onChange: (change: Partial<SourceDraft>) => void;
}

function DocumentField({ draft, problem, onProblem, onChange }: DocumentProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);

  async function take(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    if (file.size > MAX_FILE_BYTES) return onProblem(words.fileTooLarge);
    onChange({ document: await file.text(), file: words.chosenFile(file.name, size(file.size)) });
  }

  return (
    <div
      class={isOver ? 'import-file file-picker-over' : 'import-file'}
      onDragOver={(event) => {
        if (event.dataTransfer?.types.includes('Files') !== true) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false);
      }}
      onDrop={(event) => {
        setOver(false);
        if (event.dataTransfer?.types.includes('Files') !== true) return;
        event.preventDefault();
        void take(event.dataTransfer.files[0]);
      }}
    >
      {draft.document.length <= MAX_SHOWN && (
        <ConnectFieldRow
          field={{
            key: 'document',
            kind: 'json',
            label: words.document,
            required: true,
            help: words.documentHelp,
          }}
          value={draft.document}
          problem={problem}
          onChange={(document) => onChange({ document, file: '' })}
        />
      )}
      <input
        ref={input}
        type="file"
        hidden
        accept=".json,.yaml,.yml,application/json,application/yaml,text/yaml"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          void take(file);
          // The same file can be chosen again.
          currentTarget.value = '';
        }}
      />
      <p class="row">
        <button type="button" class="button" onClick={() => input.current?.click()}>
          <Icon name="upload" />
          {words.chooseFile}
        </button>
        <span class="muted" role="status">
          {draft.file}
        </span>
      </p>
    </div>
  );
}
