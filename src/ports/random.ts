// Makes all randomness: cryptographically strong bytes and ids.
export interface Random {
  bytes(length: number): Uint8Array<ArrayBuffer>;
  uuid(): string;
}
