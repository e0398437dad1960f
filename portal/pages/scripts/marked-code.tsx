// Shows code with the numbers of its lines, and marks the line where a run failed or waits.
interface Props {
  code: string;
  /** The accessible name. */
  label: string;
  mark?: { line: number; said: string; isBad: boolean } | undefined;
}

export function MarkedCode({ code, label, mark }: Props) {
  return (
    <ol class="script-code" aria-label={label}>
      {code.split('\n').map((text, index) => {
        const marked = mark?.line === index + 1 ? mark : undefined;
        return (
          // Lines have no other name than their number.
          <li
            key={index}
            class={marked && (marked.isBad ? 'script-line-bad' : 'script-line-waits')}
            data-line={index + 1}
          >
            <code>{text === '' ? ' ' : text}</code>
            {marked && <span class="script-line-said">{marked.said}</span>}
          </li>
        );
      })}
    </ol>
  );
}
