// Opens the driver of Vault with the requests of this process.
import { createVaultKeys, type VaultOptions } from '../../drivers/keys/vault.ts';
import type { KeyService } from '../../src/ports/key-service.ts';

export const openVaultKeys = (options: Omit<VaultOptions, 'fetch'>): KeyService =>
  createVaultKeys({ ...options, fetch: (url, init) => fetch(url, init) });
