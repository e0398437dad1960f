// Counts the requests that take long.
const SLOW_AFTER_MS = 4000;

const changes = new EventTarget();
let late = 0;

export function isSlow(): boolean {
  return late > 0;
}

/** Returns a function that stops listening. */
export function whenSlownessChanges(callback: () => void): () => void {
  changes.addEventListener('change', callback);
  return () => changes.removeEventListener('change', callback);
}

export async function waitFor<T>(answer: Promise<T>): Promise<T> {
  let isLate = false;
  const count = (by: number) => {
    late += by;
    changes.dispatchEvent(new Event('change'));
  };
  const timer = setTimeout(() => {
    isLate = true;
    count(1);
  }, SLOW_AFTER_MS);
  try {
    return await answer;
  } finally {
    clearTimeout(timer);
    if (isLate) count(-1);
  }
}
