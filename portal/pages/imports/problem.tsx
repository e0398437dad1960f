// Explains why a service cannot be looked at or added: what happened, in the gateway's words, and what to do.
import { useRef } from 'preact/hooks';
import { ApiError } from '../../api/client.ts';
import { explain } from '../../parts/error-notice.tsx';
import { useFocusFallback } from '../../parts/focus-fallback.ts';
import { Icon } from '../../parts/icon.tsx';
import { Lamp } from '../../parts/lamp.tsx';
import { importsTexts } from '../../texts/imports.ts';
import { texts } from '../../texts/texts.ts';

const words = importsTexts.add.problems;

export interface Problem {
  title: string;
  lines: string[];
}

export function describeProblem(error: unknown): Problem {
  const { title, advice } = words[error instanceof ApiError ? kindOf(error.status) : 'other'];
  return { title, lines: [explain(error), advice].filter((line) => line !== '') };
}

function kindOf(status: number): keyof typeof words {
  switch (status) {
    case 400:
      return 'refused';
    case 413:
      return 'large';
    case 422:
      return 'unreadable';
    case 429:
      return 'busy';
    case 502:
      return 'failed';
    case 504:
      return 'slow';
    default:
      return 'other';
  }
}

export function ProblemNotice({ problem, onRetry }: { problem: Problem; onRetry?: () => void }) {
  const notice = useRef<HTMLDivElement>(null);
  useFocusFallback(notice);
  return (
    <div ref={notice} class="notice" role="alert">
      <div>
        <Lamp colour="red">
          <strong>{problem.title}</strong>
        </Lamp>
        {problem.lines.map((line) => (
          <p key={line} class="muted problem-line">
            {line}
          </p>
        ))}
      </div>
      {onRetry && (
        <button type="button" class="button" onClick={onRetry}>
          <Icon name="refresh" />
          {texts.actions.retry}
        </button>
      )}
    </div>
  );
}
