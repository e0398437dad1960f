// Shows lines to paste elsewhere. The copied text may contain a secret that the screen hides.
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
        <code>{code.split(/(\S+)/).map(keepWhole)}</code>
      </pre>
      <CopyButton text={copy} of={label} />
    </div>
  );
}

// Moves a word to the next line instead of breaking it: half an option reads as another option.
function keepWhole(part: string, index: number) {
  return index % 2 === 0 ? part : <span class="code-word">{part}</span>;
}
