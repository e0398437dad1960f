// Puts the person's API key into lines that are copied, never into lines that are shown.
import { ApiError } from '../../api/client.ts';
import { revealKey } from '../../api/keys.ts';

export const HIDDEN_KEY = '••••••••••••';
const PLACEHOLDER = 'YOUR_API_KEY';

export async function withKey(recipe: (key: string) => string): Promise<string> {
  const key = await revealKey().catch((error: unknown) => {
    // No key yet, or one that can no longer be shown.
    if (error instanceof ApiError && (error.status === 404 || error.status === 409)) return PLACEHOLDER;
    throw error;
  });
  return recipe(key);
}
