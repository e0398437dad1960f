// Tells a client that asked for progress that its call still waits for the person. The notices also keep the connection open.
// MCP 2026-07-28, Progress
import type { Progress } from '../kit/integration.ts';
import type { Clock } from '../ports/clock.ts';
import { WAIT_KEEPALIVE_MS } from './meta-tools/limits.ts';

export async function tellWaiting(
  clock: Pick<Clock, 'sleep'>,
  onProgress: (progress: Progress) => void,
  message: string,
  ended: AbortSignal,
): Promise<void> {
  while (!ended.aborted) {
    // The stream counts the notices itself.
    onProgress({ progress: 0, message });
    await clock.sleep(WAIT_KEEPALIVE_MS, ended);
  }
}
