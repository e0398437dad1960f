// Hashes passwords slowly (bcrypt, cost 10), off the event loop where the runtime has threads.
export interface Hasher {
  hash(secret: string): Promise<string>;
  /** Returns false for a wrong secret and for a malformed hash. It accepts `$2a$`, `$2b$` and `$2y$`. */
  verify(secret: string, hash: string): Promise<boolean>;
  close(): Promise<void>;
}
