// Explains what a jot is and how to get a first one.
import { CodeBlock } from '../../parts/code-block.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Link } from '../../router/link.tsx';
import { texts } from '../../texts/texts.ts';

const words = texts.jots;

export function NoJots() {
  return (
    <Empty icon="jots" title={words.noneTitle} lead={words.noneLead}>
      <CodeBlock code={words.nonePrompt} label={words.nonePrompt} />
      <Link href="/clients" class="button">
        {words.noneAction}
      </Link>
    </Empty>
  );
}
