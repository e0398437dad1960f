// Tests that the data key is wrapped by moto, which answers as AWS KMS does, checks signatures with botocore, and refuses
// what the user's policy does not allow. decision: 072
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { describeWith } from '../support/describe-with.ts';
import { waitUntil } from '../support/wait.ts';
import { openSite, type Program, runProgram, type Site } from '../support/gateway-process.ts';
import { freePort } from '../support/listen.ts';

const BIN = join(import.meta.dirname, '.venv/bin');
const missing = existsSync(join(BIN, 'moto_server'))
  ? undefined
  : `${BIN}/moto_server is not there; npm run keys`;
/** The calls of setup-kms.py. */
const UNCHECKED_CALLS = '5';
const ROTATE = ['node', 'adapters/node/launch.mjs', 'adapters/node/rotate-keys.ts'];

// Each test starts the gateway several times.
vi.setConfig({ testTimeout: 120_000 });

describeWith(
  'a data key in AWS KMS',
  missing,
  () => {
    let moto: Program;
    let endpoint: string;
    let made: { arn: string; id: string; secret: string };
    let site: Site;
    beforeAll(async () => {
      const port = await freePort();
      endpoint = `http://127.0.0.1:${port}`;
      moto = runProgram([join(BIN, 'moto_server'), '-p', String(port)], {
        INITIAL_NO_AUTH_ACTION_COUNT: UNCHECKED_CALLS,
      });
      const answers = () =>
        fetch(`${endpoint}/moto-api/data.json`).then(
          ({ ok }) => ok,
          () => false,
        );
      await waitUntil('moto', answers, () => moto.output.stderr);
      const script = join(import.meta.dirname, 'setup-kms.py');
      const { stdout } = await promisify(execFile)(join(BIN, 'python'), [script, endpoint]);
      made = JSON.parse(stdout);
    });
    afterAll(async () => {
      moto.signal('SIGKILL', 'group');
      await moto.exited;
    });
    beforeEach(async () => {
      site = await openSite();
    });
    afterEach(() => site.close());

    const inKms = (key = made.arn) => ({
      ENCRYPTION_KEY: `awskms:${key}`,
      AWS_ENDPOINT_URL_KMS: endpoint,
      AWS_ACCESS_KEY_ID: made.id,
      AWS_SECRET_ACCESS_KEY: made.secret,
    });

    it('opens at each start, by the ARN and by an alias, and can be wrapped again', async () => {
      const alias = { ...inKms('alias/gateway'), AWS_REGION: 'eu-central-1' };
      for (const env of [inKms(), { ...alias, ENCRYPTION_KEY_PREVIOUS: `awskms:${made.arn}` }]) {
        const first = await site.start({ env });
        await first.stop();
        const { exited, output } = runProgram(ROTATE, { DATA_DIR: site.dataDir, ...env });
        expect(await exited, output.stderr).toMatchObject({ code: 0 });
        expect(output.stdout).toContain('newest version of awskms:');
        const again = await site.start({ env });
        expect(again.output.stdout).not.toContain('is not the key of this database');
        await again.stop();
      }
    });

    it('ends the start with a cure where the signature or the right is wrong', async () => {
      const secret = 'w'.repeat(40);
      const wrong = await site.spawn({ env: { ...inKms(), AWS_SECRET_ACCESS_KEY: secret } });
      expect(await wrong.exited).toMatchObject({ code: 1 });
      expect(wrong.output.stderr).toMatch(/GenerateDataKey: 403.*needs kms:GenerateDataKey/s);
      expect(wrong.output.stdout + wrong.output.stderr).not.toContain(secret);
    });

    it('names the variables that are missing', async () => {
      const bare = await site.spawn({ env: { ENCRYPTION_KEY: 'awskms:alias/gateway' } });
      expect(await bare.exited).toMatchObject({ code: 1 });
      for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_REGION'])
        expect(bare.output.stderr).toContain(`${name} must be set for the ENCRYPTION_KEY of this kind`);
    });
  },
  { excuse: process.env['WITHOUT_KEY_SERVICES'] },
);
