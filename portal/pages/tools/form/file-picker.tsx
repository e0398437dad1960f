// Lets people choose or drop files for the field that it holds, and shows the upload.
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { KeptFile } from '../../../api/files.ts';
import { size } from '../../../parts/amounts.ts';
import { Icon } from '../../../parts/icon.tsx';
import { Lamp } from '../../../parts/lamp.tsx';
import { useKept } from '../../../state/use-kept.ts';
import { texts } from '../../../texts/texts.ts';
import type { Field } from './fields.ts';
import { addFileItem } from './file-item.ts';
import { type Upload, useUpload } from './use-upload.ts';

const words = texts.tools.files;
const REFERENCE = /f-[0-9a-z]+-[0-9a-z]+-[0-9a-f]{32}/g;

type Known = Readonly<Record<string, Pick<KeptFile, 'name' | 'bytes'>>>;

interface Props {
  /** The id of the line that says what happens. */
  id: string;
  field: Field;
  draft: string;
  onChange: (draft: string) => void;
  onBusy: (busy: boolean) => void;
  children: ComponentChildren;
}

export function FilePicker({ id, field: { name, items }, draft, onChange, onBusy, children }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  // A handle says nothing to people, so the names of this person's uploads are kept beside the drafts.
  const [known, setKnown] = useKept<Known>('chosen files', {});
  const { upload, start, cancel } = useUpload(take, onBusy);
  const uploading = upload.state === 'uploading';
  const several = items !== undefined;
  const choose = several ? words.add : words.choose;

  function take(file: KeptFile): string {
    const reference = `file:${file.handle}`;
    const next = items === undefined ? reference : addFileItem(draft, items, { ...file, reference });
    if (next === null) return words.listNotJson;
    setKnown({ ...known, [file.handle]: file });
    onChange(next);
    return '';
  }

  function drop(event: DragEvent): void {
    setOver(false);
    if (!carriesFiles(event)) return;
    event.preventDefault();
    const files = [...(event.dataTransfer?.files ?? [])];
    start(several ? files : files.slice(0, 1));
  }

  return (
    <>
      <div
        class={isOver ? 'file-picker file-picker-over' : 'file-picker'}
        onDragOver={(event) => {
          if (!carriesFiles(event)) return;
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={({ currentTarget, relatedTarget }) => {
          if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false);
        }}
        onDrop={drop}
      >
        {children}
        <input
          ref={input}
          type="file"
          hidden
          multiple={several}
          onChange={({ currentTarget }) => {
            const files = [...(currentTarget.files ?? [])];
            // The same file can be chosen again.
            currentTarget.value = '';
            start(files);
          }}
        />
        {/* One button does both, so that the focus stays when the upload begins and ends. */}
        <button
          type="button"
          class="button"
          aria-label={`${uploading ? words.cancel : choose}: ${name}`}
          onClick={() => (uploading ? cancel() : input.current?.click())}
        >
          <Icon name={uploading ? 'close' : 'upload'} />
          {uploading ? words.cancel : choose}
        </button>
      </div>
      {uploading && (
        <progress
          class="file-progress"
          aria-label={words.uploading(upload.name, size(upload.bytes))}
          max={upload.bytes}
          value={upload.sent}
        />
      )}
      <div id={id} class="file-state" role="status">
        <State upload={upload} chosen={filesIn(draft, known)} />
      </div>
    </>
  );
}

function State({ upload, chosen }: { upload: Upload; chosen: readonly Known[string][] }) {
  switch (upload.state) {
    case 'uploading':
      return <Lamp colour="amber">{words.uploading(upload.name, size(upload.bytes))}</Lamp>;
    case 'refused':
      return <Lamp colour="red">{upload.message}</Lamp>;
    case 'cancelled':
      return <Lamp colour="off">{words.cancelled}</Lamp>;
    case 'idle':
      return chosen.map(({ name, bytes }) => <Lamp colour="green">{words.ready(name, size(bytes))}</Lamp>);
  }
}

function filesIn(draft: string, known: Known): Known[string][] {
  return [...new Set(draft.match(REFERENCE))].flatMap((handle) => known[handle] ?? []);
}

function carriesFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') === true;
}
