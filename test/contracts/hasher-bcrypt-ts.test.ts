// Runs the hasher contract on the portable hasher.
import { createPortableHasher } from '../../drivers/hasher/bcrypt-ts.ts';
import { hasherContract } from './hasher-contract.ts';

hasherContract('bcrypt-ts', createPortableHasher);
