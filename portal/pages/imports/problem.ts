// Explains why a service cannot be looked at or added: what happened, in the gateway's words, and what to do.
import { ApiError } from '../../api/client.ts';
import { explain, type Problem } from '../../parts/error-notice.tsx';
import { importsTexts } from '../../texts/imports.ts';

const words = importsTexts.add.problems;

export function describeProblem(error: unknown): Problem {
  const { title, advice } = words[error instanceof ApiError ? kindOf(error.status) : 'other'];
  return { message: title, lines: [explain(error), advice].filter((line) => line !== '') };
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
