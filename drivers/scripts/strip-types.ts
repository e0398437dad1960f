// Removes the types of TypeScript from a script, and keeps its lines.
import { stripTypeScriptTypes } from 'node:module';

export type Stripped = { code: string } | { message: string; line: number | null };

/** Returns null where the compiler itself fails, as it does with code that is nested too deeply. */
export function stripTypes(code: string): Stripped | null {
  try {
    return { code: stripTypeScriptTypes(code, { mode: 'strip' }) };
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) return null;
    if (error.code !== 'ERR_INVALID_TYPESCRIPT_SYNTAX' && error.code !== 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX')
      return null;
    // The stack begins with the place, `:3`, and an excerpt of the code.
    const line = /^:(\d+)\n/.exec(error.stack ?? '')?.[1];
    return {
      message: `SyntaxError: ${error.message.split('\n', 1)[0]}`,
      line: line === undefined ? null : Number(line),
    };
  }
}
