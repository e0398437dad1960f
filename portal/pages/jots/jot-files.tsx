// Lists the files of a jot with their sizes and types.
import type { JotPage } from '../../api/jots.ts';
import { size } from '../../parts/amounts.ts';
import { texts } from '../../texts/texts.ts';
import { useGradually } from '../../state/use-gradually.ts';

const words = texts.jots.one;

export function JotFiles({ jot: { name, content } }: { jot: Pick<JotPage, 'name' | 'content'> }) {
  // A jot may have thousands of files.
  const count = useGradually(content.length, `files of ${name}`);
  return (
    <section class="section">
      <h2 class="section-title">
        {words.files} <span class="section-count">{content.length.toLocaleString('en')}</span>
      </h2>
      <ul class="rows" aria-label={words.files}>
        {content.slice(0, count).map(({ path, bytes, type }) => (
          <li key={path} class="jot-file">
            <span class="jot-path">{path}</span>
            <span class="muted">{type.split(';', 1)[0]}</span>
            <span class="muted jot-bytes">{size(bytes)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
