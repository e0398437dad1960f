// The portable hasher keeps the contract.
import { createPortableHasher } from '../../drivers/hasher/bcrypt-ts.ts';
import { hasherContract } from './hasher-contract.ts';

hasherContract('bcrypt-ts', createPortableHasher);
