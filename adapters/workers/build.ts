// npm run build:worker
import { join } from 'node:path';
import { bundleWorker } from './bundle.ts';

await bundleWorker(join(import.meta.dirname, '../../dist/worker'));
