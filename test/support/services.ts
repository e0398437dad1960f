// Finds the real servers that some suites need, and skips those suites where a server is missing.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { CompiledQuery } from 'kysely';
import { openPostgres } from '../../drivers/sql/postgres.ts';
import { describeWith } from './describe-with.ts';

export const postgresUrl = (): string =>
  process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test';
export const redisUrl = (): string => process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379';

const DEFAULT_PORTS: Record<string, number> = { 'postgres:': 5432, 'redis:': 6379 };

export async function isReachable(url: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(url);
  const socket = connect({
    host: hostname,
    port: Number(port) || DEFAULT_PORTS[protocol] || 0,
    timeout: 2000,
  });
  socket.on('timeout', () => socket.destroy(new Error('timeout')));
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Describes a suite that needs a running server. */
export async function describeService(name: string, url: string, body: () => void): Promise<void> {
  const answers = await isReachable(url);
  describeWith(name, answers ? undefined : `${new URL(url).host} does not answer`, body);
}

export interface PostgresSchema {
  /** A URL whose connections see only this schema. */
  url: string;
  drop: () => Promise<void>;
}

/** Creates a fresh schema, so that test files do not share tables. */
export async function createPostgresSchema(): Promise<PostgresSchema> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const url = new URL(postgresUrl());
  url.searchParams.set('search_path', name);
  url.searchParams.set('application_name', name);
  await administer(`create schema ${name}`);
  return {
    url: url.href,
    drop: async () => {
      await administer(`drop schema ${name} cascade`);
    },
  };
}

/** Creates a fresh database, for clients that ignore the parameters of a URL. */
export async function createPostgresDatabase(): Promise<PostgresSchema> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const url = new URL(postgresUrl());
  url.pathname = `/${name}`;
  await administer(`create database ${name}`);
  return {
    url: url.href,
    drop: async () => {
      await administer(`drop database ${name} with (force)`);
    },
  };
}

/** Runs one statement outside the code under test. */
export async function administer(statement: string): Promise<unknown[]> {
  const engine = openPostgres(postgresUrl(), { max: 2 });
  const { rows } = await engine.run(CompiledQuery.raw(statement));
  await engine.close();
  return rows;
}
