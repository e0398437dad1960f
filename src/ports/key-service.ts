// Wraps a key of the gateway by a key that its service never hands out. decision: 072
export interface KeyService {
  /** Draws a key of 256 bits. */
  create(): Promise<{ key: Uint8Array; wrapped: string }>;
  /** Throws Unavailable while the service cannot be asked, and DriverFailure when it refuses. */
  unwrap(wrapped: string): Promise<Uint8Array>;
  /** Wraps the same key by the newest version of the service's key. */
  rewrap(wrapped: string): Promise<string>;
}
