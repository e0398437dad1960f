// Measures how long 100,000 actors with 300,000 connections take until they are erased, from the answer to
// `DELETE /api/service-keys/:id?erase=true` on, and what a call of another product costs meanwhile. Two of three connections
// have a grant, which goes on to the pending revocations.
//   node adapters/node/launch.mjs test/bench/erase.ts [sqlite|postgres]
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { CompiledQuery } from 'kysely';
import { openPostgres } from '../../drivers/sql/postgres.ts';
