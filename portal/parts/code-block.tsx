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
        <code>{code}</code>
      </pre>
      <CopyButton text={copy} of={label} />
    </div>
  );
}
