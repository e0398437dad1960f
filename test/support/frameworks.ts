// Lists the web frameworks whose descriptions the tests import, and starts the same small bike shop in each of them.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Program, runProgram } from './gateway-process.ts';
import { freePort } from './listen.ts';
import { waitUntil } from './wait.ts';

const FOLDER = join(import.meta.dirname, '../frameworks');
const PYTHON = '.venv/bin/python';

export const OPERATIONS = ['me', 'list', 'create', 'get', 'replace', 'delete', 'photo', 'purge'] as const;
export type Operation = (typeof OPERATIONS)[number];

/** A framework that can be started. */
interface Shopkeeper {
  name: string;
  /** The packages whose versions the documentation says. */
  packages: readonly string[];
  /** A folder of `test/frameworks`, which has what is installed. */
  folder: 'python' | 'node' | 'go' | 'java';
  /** What is there when the folder is installed. */
  needs: string;
  command: readonly string[];
  env?: Readonly<Record<string, string>>;
}

export interface Framework extends Shopkeeper {
  /** The page of the documentation and the description. The third address is that of the site. */
  page: string;
  description: string;
  /** What the page names instead, which says the same. */
  alsoAt?: string;
  /** The name of the tool of each operation, as an agent reads it. */
  tools: Readonly<Record<Operation, string>>;
  /** What the path's parameter is called. */
  id: string;
  /** flask-smorest describes a form that is a file and nothing else. */
  hasCaption?: boolean;
  /** What the list's limit is called, where it is not `limit`. */
  limit?: string;
  /** What only this one's list takes, and what the service then says that it got. */
  alsoListed?: { args: object; received: object };
}

const python = (
  file: string,
  name: string,
  packages: readonly string[],
  rest: Pick<Framework, 'page' | 'description' | 'tools' | 'id' | 'env' | 'hasCaption'>,
): Framework => ({ name, packages, folder: 'python', needs: PYTHON, command: [PYTHON, file], ...rest });

const node = (
  file: string,
  name: string,
  packages: readonly string[],
  rest: Pick<Framework, 'page' | 'description' | 'tools'>,
): Framework => ({
  name,
  packages,
  folder: 'node',
  needs: 'node_modules',
  command: [process.execPath, file],
  id: 'id',
  ...rest,
});

const go = (
  program: string,
  name: string,
  module: string,
  rest: Pick<Framework, 'page' | 'description' | 'tools' | 'alsoAt'>,
): Framework => ({
  name,
  packages: [module],
  folder: 'go',
  needs: `bin/${program}`,
  command: [`./bin/${program}`],
  id: 'id',
  ...rest,
});

/** What functions are called in the shops that name their operations after them. */
const BY_FUNCTION = {
  me: 'read_me',
  list: 'list_bikes',
  create: 'create_bike',
  get: 'read_bike',
  replace: 'replace_bike',
  delete: 'delete_bike',
  photo: 'upload_photo',
  purge: 'purge_bikes',
};
const FASTAPI = {
  page: '/docs',
  description: '/openapi.json',
  id: 'bike_id',
  tools: BY_FUNCTION,
};
/** What people call them who name each operation. */
const BY_PERSON = {
  me: 'who_am_i',
  list: 'list_bikes',
  create: 'create_bike',
  get: 'get_bike',
  replace: 'replace_bike',
  delete: 'delete_bike',
  photo: 'add_photo',
  purge: 'purge_bikes',
};
const BY_PATH = {
  me: 'get_me',
  list: 'get_bikes',
  create: 'post_bikes',
  get: 'get_bikes_by_bike_id',
  replace: 'put_bikes_by_bike_id',
  delete: 'delete_bikes_by_bike_id',
  photo: 'post_bikes_photo',
  purge: 'post_bikes_purge',
};

export const FRAMEWORKS: readonly Framework[] = [
  python('fastapi_shop.py', 'FastAPI, OAuth2PasswordBearer', ['fastapi', 'pydantic'], {
    ...FASTAPI,
    env: { WAY: 'password' },
  }),
  python('fastapi_shop.py', 'FastAPI, APIKeyCookie', ['fastapi'], { ...FASTAPI, env: { WAY: 'cookie' } }),
  python('django_shop.py', 'Django REST', ['djangorestframework', 'drf-spectacular'], {
    page: '/api/docs/',
    description: '/api/schema/',
    id: 'id',
    tools: {
      me: 'me_retrieve',
      list: 'bikes_list',
      create: 'bikes_create',
      get: 'bikes_retrieve',
      replace: 'bikes_update',
      delete: 'bikes_destroy',
      photo: 'bikes_photo_create',
      purge: 'bikes_purge_create',
    },
  }),
  python('smorest_shop.py', 'Flask, flask-smorest', ['Flask', 'flask-smorest'], {
    page: '/swagger-ui',
    description: '/openapi.json',
    id: 'bike_id',
    hasCaption: false,
    tools: BY_PATH,
  }),
  python('apiflask_shop.py', 'Flask, APIFlask', ['APIFlask'], {
    page: '/docs',
    description: '/openapi.json',
    id: 'bike_id',
    tools: BY_PATH,
  }),
  python('litestar_shop.py', 'Litestar', ['litestar'], {
    page: '/schema',
    description: '/schema/openapi.json',
    id: 'bike_id',
    tools: BY_FUNCTION,
  }),
  node('nest-shop.mjs', 'NestJS', ['@nestjs/core', '@nestjs/swagger'], {
    page: '/api',
    description: '/api-json',
    tools: {
      me: 'bikes_who_am_i',
      list: 'bikes_find_all',
      create: 'bikes_create',
      get: 'bikes_find_one',
      replace: 'bikes_replace',
      delete: 'bikes_remove',
      photo: 'bikes_upload_photo',
      purge: 'bikes_purge',
    },
  }),
  node('hono-shop.mjs', 'Hono', ['hono', '@hono/zod-openapi'], {
    page: '/ui',
    description: '/doc',
    tools: BY_PERSON,
  }),
  node('elysia-shop.mjs', 'Elysia', ['elysia', '@elysiajs/openapi'], {
    page: '/openapi',
    description: '/openapi/json',
    tools: {
      me: 'get_me',
      list: 'get_bikes',
      create: 'post_bikes',
      get: 'get_bikes_by_id',
      replace: 'put_bikes_by_id',
      delete: 'delete_bikes_by_id',
      photo: 'post_bikes_by_id_photo',
      purge: 'post_bikes_purge',
    },
  }),
  go('huma', 'huma', 'github.com/danielgtaylor/huma/v2', {
    page: '/docs',
    description: '/openapi.json',
    alsoAt: '/openapi.yaml',
    tools: BY_PERSON,
  }),
  go('gin', 'gin, swag', 'github.com/gin-gonic/gin', {
    page: '/swagger/index.html',
    description: '/swagger/doc.json',
    tools: {
      me: 'get_me',
      list: 'get_bikes',
      create: 'post_bikes',
      get: 'get_bikes_by_id',
      replace: 'put_bikes_by_id',
      delete: 'delete_bikes_by_id',
      photo: 'post_bikes_photo',
      purge: 'post_bikes_purge',
    },
  }),
  {
    name: 'Spring Boot, springdoc',
    packages: ['spring-boot-starter-parent', 'springdoc-openapi-starter-webmvc-ui'],
    folder: 'java',
    needs: 'target/dependency',
    // It is small and starts often, so it needs neither the second compiler nor several collectors.
    command: [
      '/usr/bin/env',
      'java',
      '-XX:TieredStopAtLevel=1',
      '-XX:+UseSerialGC',
      '-cp',
      'target/classes:target/dependency/*',
      'shop.Shop',
    ],
    page: '/swagger-ui/index.html',
    description: '/v3/api-docs',
    id: 'id',
    tools: {
      me: 'get_person',
      list: 'list_bikes',
      create: 'create_bikes',
      get: 'get_bikes',
      replace: 'replace_bikes',
      delete: 'delete_bikes',
      photo: 'upload_photo',
      purge: 'purge_bikes',
    },
    // `Pageable` calls the limit `size`.
    limit: 'size',
    alsoListed: {
      args: { page: 2, sort: ['name,desc', 'id'] },
      received: { page: 2, sort: ['name: DESC', 'id: ASC'] },
    },
  },
];

/** Those that speak GraphQL, at `/graphql`. */
export const GRAPHQL: readonly Shopkeeper[] = [
  {
    name: 'Strawberry',
    packages: ['strawberry-graphql'],
    folder: 'python',
    needs: PYTHON,
    command: [PYTHON, 'strawberry_shop.py'],
  },
  {
    name: 'Apollo Server',
    packages: ['@apollo/server'],
    folder: 'node',
    needs: 'node_modules',
    command: [process.execPath, 'apollo-shop.mjs'],
  },
];

const INSTALL = {
  python: 'npm run frameworks:python',
  node: 'npm run frameworks',
  go: 'npm run frameworks:go',
  java: 'npm run frameworks:java',
};

/** Says what is missing to start a framework. */
export function missingOf({ folder, needs }: Shopkeeper): string | undefined {
  if (existsSync(join(FOLDER, folder, needs))) return undefined;
  return `test/frameworks/${folder} is not installed; ${INSTALL[folder]}`;
}

export interface Shop {
  base: string;
  /** What its operations were called with, as the framework understood the requests. */
  received(): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

export async function openShop({ folder, command: [file = '', ...args], env }: Shopkeeper): Promise<Shop> {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const cwd = join(FOLDER, folder);
  const program: Program = runProgram(
    [resolve(cwd, file), ...args],
    { PORT: String(port), PYTHONDONTWRITEBYTECODE: '1', ...env },
    cwd,
  );
  const received = async () => (await fetch(`${base}/received`)).json();
  await waitUntil(
    'the shop',
    async () => {
      const isOpen = await received().then(
        () => true,
        () => false,
      );
      if (!isOpen && !program.hasProcesses()) throw new Error(program.output.stderr);
      return isOpen;
    },
    () => program.output,
  );
  return {
    base,
    received,
    async close() {
      program.signal('SIGKILL', 'group');
      await program.exited;
    },
  };
}

/** The versions that are pinned, such as `fastapi 0.165.0`. */
export function versionsOf({ folder, packages }: Shopkeeper): string {
  const file = { python: 'requirements.txt', node: 'package.json', go: 'go.mod', java: 'pom.xml' }[folder];
  const text = readFileSync(join(FOLDER, folder, file), 'utf8');
  return packages
    .map((name) => {
      const pinned = new RegExp(
        `(?:^|["\\s>])${name}(?:==|": "| v|</artifactId>\\s*<version>)([\\w.]+)`,
        'im',
      ).exec(text);
      return `${name} ${pinned?.[1]}`;
    })
    .join(', ');
}
