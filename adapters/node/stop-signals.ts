// Handles SIGINT and SIGTERM from the first moment on. gateway.ts imports this file before all others, because a
// supervisor may stop a process that is still loading, or waiting for its database. decision: 010
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

// Nothing has begun yet, so there is nothing to finish.
handleSignals(() => process.exit(0));

/** Replaces the handlers that end the process at once, also those of start.mjs. */
export function handleSignals(stop: () => void): void {
  for (const signal of SIGNALS) process.removeAllListeners(signal).on(signal, stop);
}
