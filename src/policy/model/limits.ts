// The limits of rules and approvals. reference: Limits

export const APPROVALS_PER_CALLER = 100;
/** How many questions of all callers of a person may wait, and how large they may be together as they are stored. */
export const QUESTIONS_PER_PERSON = 500;
export const QUESTION_BYTES_PER_PERSON = 64 * 1024 ** 2;
export const APPROVAL_ARGUMENT_CHARACTERS = 256 * 1024;
export const APPROVALS_PAGE = 200;
/** How long finished approvals are kept for the person to look at. */
export const APPROVAL_KEPT_SECONDS = 7 * 24 * 3_600;
/** A run that no process has kept alive for this long is lost. */
export const APPROVAL_RUN_SECONDS = 45;
export const APPROVAL_RUN_BEAT_MS = 15_000;
export const APPROVAL_POLL_MS = 1_000;
