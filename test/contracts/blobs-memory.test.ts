// Runs the blob contract on memory.
import { createMemoryBlobs } from '../../drivers/blobs/memory.ts';
import { blobsContract } from './blobs-contract.ts';

blobsContract('memory', async () => ({ blobs: createMemoryBlobs(), close: async () => {} }));
