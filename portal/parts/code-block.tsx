// Lines to paste elsewhere. What is copied may hold a secret that the screen does not show.
import { CopyButton } from './copy-button.tsx';

export function CodeBlock({
  code,
  label,
  copy = () => code,
}: {
  code: string;
  label: string;
  copy?: () => string | Promise<string>;
}) {
  return (
    <div class="code">
      <pre>
        <code>{code.split(/(\S+)/).map(whole)}</code>
      </pre>
      <CopyButton text={copy} of={label} />
    </div>
  );
}

// Half an option is another one: a word goes to the next line before it is broken.
function whole(part: string, index: number) {
  return index % 2 === 0 ? part : <span class="code-word">{part}</span>;
}
