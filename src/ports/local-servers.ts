// Starts the MCP servers that the operator has on this machine and that speak over standard input and output.

/** A server of the operator's file. */
export interface LocalServer {
  /** Made of a-z, 0-9 and _. */
  name: string;
  /** The `${field}`s of its arguments and environment: each person fills them in. */
  fields: readonly string[];
}

/** A running process. Each message is one line of JSON without line breaks. */
export interface LocalProcess {
  send(message: string): Promise<void>;
  onMessage: ((message: string) => void) | null;
  /** Told once, with a sentence that names no secret. */
  onEnd: ((reason: string) => void) | null;
  end(): Promise<void>;
}

export interface LocalServers {
  readonly servers: readonly LocalServer[];
  /** Throws Unavailable while as many processes run as may, and DriverFailure when the process cannot be started. */
  start(name: string, values: Readonly<Record<string, string>>): Promise<LocalProcess>;
  close(): Promise<void>;
}
