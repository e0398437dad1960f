// Runs the blob contract on memory.
import { createMemoryBlobs } from '../support/memory-blobs.ts';
import { blobsContract } from './blobs-contract.ts';

blobsContract('memory', async () => ({ blobs: createMemoryBlobs(), close: async () => {} }));
