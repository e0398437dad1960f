// The limits of calls. reference: Limits

export const POOL_SIZE = 8;
export const EXECUTIONS = 10_000;
