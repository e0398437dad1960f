// Inserts the person's API key into copied lines. Shown lines never contain it.
import { ApiError } from '../../api/client.ts';
import { revealKey } from '../../api/keys.ts';

export const HIDDEN_KEY = '••••••••••••';
const PLACEHOLDER = 'YOUR_API_KEY';

export async function withKey(recipe: (key: string) => string): Promise<string> {
  const key = await revealKey().catch((error: unknown) => {
    // The person has no key, or the gateway can no longer reveal it.
    if (error instanceof ApiError && (error.status === 404 || error.status === 409)) return PLACEHOLDER;
    throw error;
  });
  return recipe(key);
}
