// The limits of the sandbox that no run can choose.
const MIB = 1024 * 1024;

export const MAX_CODE_CHARACTERS = MIB;
/** What a script hands over at one time: the arguments of a call, or a value for `select`. */
export const MAX_HANDED_CHARACTERS = 4 * MIB;
export const MAX_NAME_CHARACTERS = 512;
export const MAX_MESSAGE_CHARACTERS = 2_000;
/** Rejected promises that are remembered until somebody handles them. */
export const MAX_REJECTIONS = 1_000;

/** Answers are copied into the memory of WebAssembly, which QuickJS does not count, before it reads them. */
export const HEADROOM = 32 * MIB;
/** The heap of the thread holds texts on their way, and nothing of the script. */
export const HEAP_MIB = 64;
/** QuickJS refuses deeper calls itself. The thread has room for what its frames take in V8. */
export const QUICKJS_STACK = 256 * 1024;
export const STACK_MIB = 16;

/** A run that computes lets another one go on after this many milliseconds. */
export const SLICE = 50;
/** How often the processor time of a thread is read from outside. */
export const WATCH = 500;
/** The sandbox ends itself at its limit. It is killed this many milliseconds of processor time later. */
export const GRACE = 1_000;
/** Runs that wait for a thread. */
export const MAX_QUEUED = 64;
