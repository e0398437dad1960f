// Shows JSON indented and coloured. Other text is shown as it is.
import { useMemo } from 'preact/hooks';
import { size } from '../../parts/amounts.ts';
import { texts } from '../../texts/texts.ts';

// Bounds the number of elements: every coloured token is one.
const MAX_SHOWN = 60_000;

const TOKEN = /("(?:\\.|[^"\\])*")(?=(\s*:)?)|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

export function JsonView({ text }: { text: string }) {
  const { lines, shortened } = useMemo(() => {
    const whole = indent(text);
    return {
      lines: highlight(whole.slice(0, MAX_SHOWN)),
      shortened: whole.length > MAX_SHOWN ? texts.tools.shortened(size(MAX_SHOWN), size(whole.length)) : '',
    };
  }, [text]);
  return (
    <>
      <pre class="json" tabIndex={0} role="region" aria-label={texts.tools.json}>
        <code>{lines}</code>
      </pre>
      {shortened !== '' && <p class="muted">{shortened}</p>}
    </>
  );
}

function indent(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function highlight(text: string) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [token, string, colon] = match;
    parts.push(text.slice(end, match.index));
    parts.push(<span class={kindOf(string, colon)}>{token}</span>);
    end = match.index + token.length;
  }
  return [...parts, text.slice(end)];
}

function kindOf(string: string | undefined, colon: string | undefined): string {
  if (string === undefined) return 'json-value';
  return colon === undefined ? 'json-string' : 'json-key';
}
