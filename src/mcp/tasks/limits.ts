// The limits of tasks. reference: Tasks

/** A task is kept for so long after its question is over. */
export const TASK_KEPT_SECONDS = 3_600;
/** How many tasks of one caller are kept, and how large they may be together as they are stored. */
export const TASKS_PER_CALLER = 100;
export const TASK_CHARACTERS_PER_CALLER = 32 * 1024 ** 2;
/** What a task may hold of its calls and of their results: a row of D1 has 2 MB. */
export const TASK_REQUEST_BYTES = 384 * 1024;
export const TASK_RESULT_BYTES = 1024 ** 2;
/** How often a client should look while a person is needed, and while a call runs. */
export const PERSON_POLL_MS = 2_000;
export const RUN_POLL_MS = 1_000;
/** A call that runs longer becomes a task. */
export const LONG_CALL_MS = 5_000;
/** How long an answer waits for a run that it has begun. */
export const TASK_ANSWER_MS = 1_000;
/** The tasks that one round of the maintenance takes up. */
export const TASKS_PAGE = 200;
/** How often a process tries to write what a run has given, with a second in between. */
export const TASK_WRITES = 5;
