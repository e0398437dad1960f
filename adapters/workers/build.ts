// npm run build:worker: bundles the Worker into dist/worker, or into the folder that is named.
import { join } from 'node:path';
import { bundleWorker } from './bundle.ts';

await bundleWorker(process.argv[2] ?? join(import.meta.dirname, '../../dist/worker'));
