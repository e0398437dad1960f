// Reads whether an agent is to be paused. reference: Agents; Named keys
import * as z from 'zod';

export const PauseForm = z.strictObject({
  paused: z.boolean().describe('True stops it at its next call, false lets it go on'),
});
