// npm run pack: writes the package into dist. docs/deploy/README.md
import { join, relative } from 'node:path';
import { makePackage } from './package.ts';

const DIST = join(import.meta.dirname, '../../../dist');

const file = await makePackage({ builds: DIST, destination: DIST });
console.log(`Wrote ${relative(process.cwd(), file)}`);
