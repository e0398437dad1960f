// Calls an operation.
import type { ToolFiles } from '../../kit/files.ts';
import type { SendUpstream } from '../mcp/client.ts';
import type { OperationRecipe } from './operation.ts';

export function callOperation(
  _recipe: OperationRecipe,
  _args: Record<string, unknown>,
  _how: { base: string; send: SendUpstream; files: ToolFiles },
): Promise<unknown> {
  return Promise.reject(new Error('not written yet'));
}
