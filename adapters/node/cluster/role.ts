// What the primary tells a worker about itself, in a variable of its environment.

const VARIABLE = 'GATEWAY_WORKER';

/** A worker sends it when it serves. */
export const READY = 'ready';

/**
 * Where the kernel spreads connections over all processes that listen on a port. Elsewhere the primary accepts them and hands
 * them on.
 */
export const SHARES_PORTS = process.platform === 'linux';

/** The worker that runs the browsers of the live view. */
export const BROWSER_WORKER = 1;

export interface Role {
  /** From 1. A process that replaces another one has its number. */
  number: number;
  /** How many workers there are. */
  of: number;
  /** Begins the address at which workers reach each other; the number of the worker ends it. */
  peers: string;
  /** True for the first process of all: its banner and its warnings are those of the gateway. */
  announces: boolean;
}

export const toEnvironment = (role: Role): Record<string, string> => ({ [VARIABLE]: JSON.stringify(role) });

/** Returns null for a gateway of one process. */
export function readRole(env: NodeJS.ProcessEnv): Role | null {
  const text = env[VARIABLE];
  return text === undefined ? null : JSON.parse(text);
}

export const peerAddress = ({ peers }: Pick<Role, 'peers'>, number: number): string => `${peers}${number}`;

/** Without its primary a worker gets no connections, so it finishes what it has begun and ends. */
export async function onPrimaryGone(stop: () => void): Promise<void> {
  const { default: cluster } = await import('node:cluster');
  const { worker } = cluster;
  worker?.once('disconnect', () => {
    // Otherwise the worker would end at once.
    worker.exitedAfterDisconnect = true;
    stop();
  });
}
