// Lists the kept files in a tool's result, with a link to download each.
import { useMemo } from 'preact/hooks';
import { size } from '../../parts/amounts.ts';
import { Icon } from '../../parts/icon.tsx';
import { texts } from '../../texts/texts.ts';
import { filesIn } from './files-in.ts';

const words = texts.tools.files;

export function ResultFiles({ text }: { text: string }) {
  const files = useMemo(() => filesIn(text), [text]);
  if (files.length === 0) return null;
  return (
    <ul class="result-files" aria-label={words.list}>
      {files.map(({ handle, name, mimeType, bytes, path }) => (
        <li key={handle}>
          <div class="result-file-words">
            <p class="result-file-name">{name}</p>
            <p class="muted">
              {size(bytes)}, {mimeType}
            </p>
          </div>
          <a class="button" href={path} download={name} aria-label={`${words.download}: ${name}`}>
            <Icon name="download" />
            {words.download}
          </a>
        </li>
      ))}
    </ul>
  );
}
