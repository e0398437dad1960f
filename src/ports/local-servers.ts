// Starts the MCP servers that the operator has on this machine and that speak over standard input and output.

/** A server of the operator's file. */
export interface LocalServer {
  /** Made of a-z, 0-9 and _. */
  name: string;
  /** The `${field}`s of its arguments, environment and headers, in lower case: each person fills them in. */
  fields: readonly string[];
  /** One process serves everybody. Only a server without fields may be shared. */
  isShared?: boolean;
  /** The address of a server that is reached over HTTP and not started. */
  url?: string;
  /** The headers for that address. `{field}` stands for a person's value, as in `ImportAuth`; the rest may be a secret. */
  headers?: Readonly<Record<string, string>>;
}

/** A running process. Each message is one line of JSON without line breaks. */
export interface LocalProcess {
  /** Resolves when the system has taken the message. Throws Unavailable when the process has ended or does not read. */
  send(message: string): Promise<void>;
  onMessage: ((message: string) => void) | null;
  /** Told once; at once when the process has ended before it is set. */
  onEnd: ((end: ProcessEnd) => void) | null;
  /** Resolves when the process and its children have ended, after seven seconds at most. */
  end(): Promise<void>;
}

/** Why a process has ended. */
export interface ProcessEnd {
  /** Says who and how, without a full stop. It names no secret. */
  reason: string;
  /**
   * What the process said last on stderr, without the values of its entry; empty when it said nothing. What a process
   * says may come from anybody whom it serves.
   */
  words: string;
}

export interface LocalServers {
  readonly servers: readonly LocalServer[];
  /** As many processes run at most. */
  readonly maxProcesses: number;
  /** Throws Unavailable while as many processes run as may, and DriverFailure when the process cannot be started. */
  start(name: string, values: Readonly<Record<string, string>>): Promise<LocalProcess>;
  /** Ends all processes, quicker than their own `end`, and starts no other. */
  close(): Promise<void>;
}

const MAX_VALUE_CHARACTERS = 16_384;

/** Tells whether a person may enter this value for a field. */
export function isFieldValue(value: string): boolean {
  return value.length <= MAX_VALUE_CHARACTERS && !/[\0\n\r]/.test(value);
}
