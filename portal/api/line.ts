// Knows whether the gateway answers: one look, at once, confirms a request that got no answer, and others follow until it answers.
const LOOK_AGAIN_MS = 2500;

const changes = new EventTarget();
let isUp = true;
let isLooking = false;

export function isLineUp(): boolean {
  return isUp;
}

/** Calls back when the gateway stops or begins to answer. Returns a function that stops listening. */
export function whenLineChanges(callback: () => void): () => void {
  changes.addEventListener('change', callback);
  return () => changes.removeEventListener('change', callback);
}

export function noticeAnswer(): void {
  set(true);
}

/** Tells whether the gateway answers, after a request or a part of the portal that did not arrive. */
export async function checkLine(): Promise<boolean> {
  const answers = await isAnswering();
  set(answers);
  if (!answers) lookOn();
  return answers;
}

/** A proxy in front of a gateway that is down answers without JSON. */
async function isAnswering(): Promise<boolean> {
  const response = await fetch('/api/health', { cache: 'no-store' }).catch(() => null);
  const body: unknown = await response?.json().catch(() => null);
  return body !== null && body !== undefined;
}

function lookOn(): void {
  if (isLooking) return;
  isLooking = true;
  const look = () => {
    clearTimeout(timer);
    window.removeEventListener('online', look);
    isLooking = false;
    if (!isUp) void checkLine();
  };
  const timer = setTimeout(look, LOOK_AGAIN_MS);
  window.addEventListener('online', look);
}

function set(now: boolean): void {
  if (now === isUp) return;
  isUp = now;
  changes.dispatchEvent(new Event('change'));
}
