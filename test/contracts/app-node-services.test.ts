// Tests the application in a Node process with PostgreSQL, Redis and an S3-compatible store.
import { describeWith } from '../support/describe-with.ts';
import { createPostgresSchema, isReachable, postgresUrl, redisUrl } from '../support/services.ts';
import { describeSwift, startSwift } from '../support/swift.ts';
import { startOnNode } from './app/on-node.ts';
import { appContract } from './app-contract.ts';

const reached = (await isReachable(postgresUrl())) && (await isReachable(redisUrl()));
describeWith('over servers', reached ? undefined : 'PostgreSQL or Redis does not answer', () => {
  describeSwift('with S3', () => {
    appContract('Node, PostgreSQL, Redis and S3', async (env) => {
      const { place, close } = await startSwift();
      const schema = await createPostgresSchema();
      const services = {
        DATABASE_URL: schema.url,
        PENDING_STORE: redisUrl(),
        BLOBS_URL: `s3://${place.bucket}?endpoint=${place.endpoint}&region=${place.region}`,
        S3_ACCESS_KEY_ID: place.accessKeyId,
        S3_SECRET_ACCESS_KEY: place.secretAccessKey,
      };
      return startOnNode({ ...env, ...services }, async () => {
        await schema.drop();
        await close();
      });
    });
  });
});
