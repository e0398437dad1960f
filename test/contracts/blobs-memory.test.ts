// Blobs in memory keep the contract.
import { createMemoryBlobs } from '../../drivers/blobs/memory.ts';
import { blobsContract } from './blobs-contract.ts';

blobsContract('memory', async () => ({ blobs: createMemoryBlobs(), close: async () => {} }));
