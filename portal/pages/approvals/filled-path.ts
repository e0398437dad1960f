// Fills the arguments of a call into the path of its request.
import type { Approval } from '../../api/approvals.ts';

/** The path of a request with the arguments in it, as far as they are plain. */
export function filledPath(path: string, args: Approval['args']): string {
  return path.replaceAll(/\{(\w+)(\+?)\}/g, (hole, name: string, several: string) => {
    const value: unknown = args?.[name];
    if (typeof value !== 'string' && typeof value !== 'number') return hole;
    // A hole with a plus takes several parts of the path.
    const parts = several === '' ? [String(value)] : String(value).split('/');
    return parts.map(encodeURIComponent).join('/');
  });
}
