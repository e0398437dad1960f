// Renders the mark of a client that people know by its name, or letters for any other agent. The name always appears
// beside it.
import { useState } from 'preact/hooks';
import { lettersOf } from './logo.tsx';

const MARKS = new URL('../clients.svg', import.meta.url).href;

/** The first pattern that fits decides, so that longer names come first. */
const KNOWN: readonly [RegExp, string][] = [
  [/claude[ -]?code/i, 'claude-code'],
  [/claude|anthropic/i, 'claude'],
  [/cursor/i, 'cursor'],
  [/vs ?code|visual studio|copilot/i, 'vs-code'],
  [/codex/i, 'codex'],
  [/windsurf/i, 'windsurf'],
  [/\bzed\b/i, 'zed'],
  [/chat ?gpt|openai/i, 'chatgpt'],
  [/gemini/i, 'gemini'],
  [/n8n/i, 'n8n'],
  [/python|\.py\b/i, 'python'],
  [/\bcurl\b/i, 'curl'],
];

export function AgentMark({ name, mark = markOf(name) }: { name: string; mark?: string | undefined }) {
  const [missing, setMissing] = useState(false);
  if (mark === undefined || missing)
    return (
      <span class="logo logo-letter" aria-hidden="true">
        {lettersOf(name)}
      </span>
    );
  return (
    <img
      class="logo"
      src={`${MARKS}#${mark}`}
      alt=""
      width="40"
      height="40"
      onError={() => setMissing(true)}
    />
  );
}

function markOf(name: string): string | undefined {
  return KNOWN.find(([pattern]) => pattern.test(name))?.[1];
}
