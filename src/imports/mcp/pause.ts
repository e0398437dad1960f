// Waits in real time, for what no test has to wait for. The timer keeps no process alive.
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    AbortSignal.timeout(Math.ceil(milliseconds)).addEventListener('abort', () => resolve(), { once: true });
  });
}
