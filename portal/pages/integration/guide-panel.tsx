// Shows the guide of an integration, as agents read it. It is loaded when the person opens it.
import { useState } from 'preact/hooks';
import { fetchGuide } from '../../api/integrations.ts';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { useResource } from '../../state/use-resource.ts';
import { texts } from '../../texts/texts.ts';

const words = texts.integration.guide;

export function GuidePanel({ name }: { name: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="panel guide" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <h2>{words.title}</h2>
        <span class="muted">{words.lead}</span>
      </summary>
      {isOpen && <GuideText name={name} />}
    </details>
  );
}

function GuideText({ name }: { name: string }) {
  const guide = useResource(`guide ${name}`, () => fetchGuide(name));
  return (
    <>
      <NotLoaded of={[guide]} />
      {guide.data === undefined && guide.error === undefined && <Skeleton rows={6} />}
      {guide.data !== undefined && <div class="guide-text">{blocksOf(guide.data).map(showBlock)}</div>}
    </>
  );
}

/** Guides are written with headings, paragraphs and lists only. The first line is the name that the page has as its title. */
function blocksOf(guide: string): string[][] {
  const blocks: string[][] = [];
  let isFresh = true;
  for (const line of guide.split('\n').slice(1)) {
    if (line === '') isFresh = true;
    else if (isFresh || line.startsWith('## ') || isItem(line) !== isItem(blocks.at(-1)?.[0] ?? '')) {
      blocks.push([line]);
      isFresh = false;
    } else blocks.at(-1)?.push(line);
  }
  return blocks;
}

const isItem = (line: string) => line.startsWith('- ');

function showBlock(lines: readonly string[], index: number) {
  const [first = ''] = lines;
  if (first.startsWith('## ')) return <h3 key={index}>{first.slice(3)}</h3>;
  if (!isItem(first)) return <p key={index}>{withCode(lines.join(' '))}</p>;
  return (
    <ul key={index}>
      {lines.map((line) => (
        <li key={line}>{withCode(line.slice(2))}</li>
      ))}
    </ul>
  );
}

const withCode = (text: string) =>
  text.split('`').map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>));
