// Lets programs of others judge our own OpenAPI description, and makes clients of it that call. reference: OpenAPI
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWith } from '../support/describe-with.ts';
import {
  type Banner,
  type Gateway,
  openSite,
  ROOT,
  runProgram,
  type Site,
} from '../support/gateway-process.ts';

const FRAMEWORKS = join(ROOT, 'test/frameworks');
const PYTHON = join(FRAMEWORKS, 'python');
const BIN = join(PYTHON, '.venv/bin');
const GO = join(FRAMEWORKS, 'go-client');
const { WITHOUT_GO, WITHOUT_PYTHON } = process.env;

const missing = (file: string, install: string) =>
  existsSync(join(FRAMEWORKS, file)) ? undefined : `test/frameworks/${file} is missing; ${install}`;

let site: Site;
let gateway: Gateway & Banner;
let folder: string;

beforeAll(async () => {
  site = await openSite();
  gateway = await site.start();
  folder = await mkdtemp(join(tmpdir(), 'judges-'));
  const description = await (await gateway.request('/openapi.json')).text();
  await writeFile(join(folder, 'openapi.json'), description);
});
afterAll(async () => {
  await site?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a program to its end, and expects that it is content. */
async function run(command: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const { exited, output } = runProgram(
    command,
    { HOME: folder, PYTHONPATH: PYTHON, PYTHONDONTWRITEBYTECODE: '1', ...env },
    folder,
  );
  const { code } = await exited;
  expect(code, `${output.stdout}${output.stderr}`.slice(-8_000)).toBe(0);
  return output.stdout;
}

const judges =
  WITHOUT_PYTHON === undefined ? missing('python/.venv', 'npm run frameworks:python') : WITHOUT_PYTHON;

if (WITHOUT_PYTHON !== undefined) process.stderr.write(`SKIPPED the judges of OpenAPI: ${WITHOUT_PYTHON}\n`);
else
  describeWith('programs of others in Python', judges, () => {
    it('find our description valid', async () => {
      expect(await run([join(BIN, 'openapi-spec-validator'), 'openapi.json'])).toContain('OK');
    });

    it.each<[string, Record<string, string>, number]>([
      // These wait for others, and lead to pages of others.
      [
        'read',
        {
          '--include-method': 'GET',
          '--exclude-path-regex': String.raw`^/c/|^/api/auth/(hosted|idp|\{integration\})`,
          '--max-examples': '3',
        },
        40,
      ],
      // These ask services of others and start browsers, or end the session and what else the judges sign in with.
      [
        'write',
        {
          '--include-method-regex': '^(POST|PUT|PATCH|DELETE)$',
          '--exclude-path-regex': String.raw`^/c/|^/api/(imports(/preview)?|me|auth/(logout|apikey/.*)|browser-session/.*)$|/session/import$`,
          '--max-examples': '2',
        },
        35,
      ],
    ])(
      'get the answers that it promises, whatever they %s',
      { timeout: 240_000 },
      async (_, chosen, least) => {
        const options = {
          ...chosen,
          '--checks':
            'not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance',
          '--phases': 'examples,coverage,fuzzing',
          '--seed': '1',
          '--warnings': 'off',
          '--header': `authorization: Bearer ${gateway.session}`,
        };
        const told = await run(
          [join(BIN, 'st'), 'run', `${gateway.base}/openapi.json`, ...Object.entries(options).flat()],
          {
            SCHEMATHESIS_HOOKS: 'judge_hooks',
          },
        );
        expect(Number(/Tested: +(\d+)/.exec(told)?.[1])).toBeGreaterThanOrEqual(least);
      },
    );

    it('make a client that calls', async () => {
      await run([
        join(BIN, 'openapi-python-client'),
        'generate',
        '--path',
        'openapi.json',
        '--meta',
        'none',
        '--output-path',
        'made',
      ]);
      await writeFile(
        join(folder, 'call.py'),
        `import os
from made import AuthenticatedClient
from made.api.person import get_myself

client = AuthenticatedClient(os.environ["BASE"], os.environ["SESSION"])
print(get_myself.sync(client=client).email)
`,
      );
      const said = await run([join(BIN, 'python'), 'call.py'], {
        BASE: gateway.base,
        SESSION: gateway.session,
      });
      expect(said.trim()).toBe('owner@localhost');
    });
  });

describeWith('a client in TypeScript', missing('node/node_modules', 'npm run frameworks'), () => {
  it('is made of our description, has its types and calls', async () => {
    const modules = join(FRAMEWORKS, 'node/node_modules');
    await run([
      process.execPath,
      join(modules, 'openapi-typescript/bin/cli.js'),
      'openapi.json',
      '-o',
      'made.d.ts',
    ]);
    await writeFile(join(folder, 'package.json'), '{"type": "module"}');
    await writeFile(
      join(folder, 'call.ts'),
      `import createClient from ${JSON.stringify(join(modules, 'openapi-fetch/dist/index.mjs'))};
import type { paths } from './made.d.ts';

const { BASE: baseUrl = '', SESSION = '' } = process.env;
const client = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${SESSION}\` } });
const { data } = await client.GET('/api/me');
const email: string | undefined = data?.email;
console.log(email);
`,
    );
    await run([
      process.execPath,
      join(modules, 'typescript/bin/tsc'),
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--allowImportingTsExtensions',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--types',
      'node',
      '--typeRoots',
      join(ROOT, 'node_modules/@types'),
      'call.ts',
    ]);
    const said = await run([process.execPath, 'call.ts'], { BASE: gateway.base, SESSION: gateway.session });
    expect(said.trim()).toBe('owner@localhost');
  });
});

const generator = WITHOUT_GO === undefined ? missing('go-client/bin', 'npm run frameworks:go') : WITHOUT_GO;

if (WITHOUT_GO !== undefined) process.stderr.write(`SKIPPED the client of OpenAPI in Go: ${WITHOUT_GO}\n`);
else
  describeWith('a client in Go', generator, () => {
    it('is made of our description, compiles and calls', { timeout: 240_000 }, async () => {
      for (const file of ['go.mod', 'go.sum']) await copyFile(join(GO, file), join(folder, file));
      await mkdir(join(folder, 'gomade'));
      await run([
        join(GO, 'bin/oapi-codegen'),
        '-generate',
        'types,client',
        '-package',
        'gomade',
        '-o',
        'gomade/made.go',
        'openapi.json',
      ]);
      await writeFile(
        join(folder, 'call.go'),
        `package main

import (
	"client/gomade"
	"context"
	"fmt"
	"net/http"
	"os"
)

func main() {
	client, err := gomade.NewClientWithResponses(os.Getenv("BASE"), gomade.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", "Bearer "+os.Getenv("SESSION"))
			return nil
		}))
	if err != nil {
		panic(err)
	}
	answer, err := client.GetMyselfWithResponse(context.Background())
	if err != nil {
		panic(err)
	}
	fmt.Println(answer.JSON200.Email)
}
`,
      );
      // What was downloaded and compiled at the installation is in the home of who runs this.
      const said = await run(['/usr/bin/env', 'go', 'run', 'call.go'], {
        HOME: homedir(),
        BASE: gateway.base,
        SESSION: gateway.session,
      });
      expect(said.trim()).toBe('owner@localhost');
    });
  });
