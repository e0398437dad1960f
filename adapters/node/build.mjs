// npm run build:server
import { bundle } from './bundle.ts';

await bundle('dist/server');
