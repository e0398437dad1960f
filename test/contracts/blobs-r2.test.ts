// Runs the blob contract on R2 in a real workerd.
import { createR2Blobs } from '../../drivers/blobs/r2.ts';
import { startR2 } from '../support/r2/harness.ts';
import { blobsContract } from './blobs-contract.ts';

blobsContract('r2', async () => {
  const { bucket, close } = await startR2();
  return { blobs: createR2Blobs(bucket), close };
});
