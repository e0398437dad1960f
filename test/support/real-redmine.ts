// Runs Debian's Redmine on a copy of its packaged database, below /redmine, served by WEBrick.
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from './gateway-process.ts';
import { describeInstalled } from './installed.ts';

const PLACE = '/usr/share/redmine/config';
const DATABASE = '/var/lib/dbconfig-common/sqlite3/redmine/instances/default/redmine_default';
const PACKAGES = 'redmine redmine-sqlite';

export interface Redmine {
  /** The URL with the path prefix. */
  url: string;
  /** The administrator's key. */
  apiKey: string;
  stop(): Promise<void>;
}

export function describeWithRedmine(name: string, body: () => void): void {
  const files = [`${PLACE}/environment.rb`, DATABASE, '/etc/redmine/default/database.yml'];
  describeInstalled(name, { packages: PACKAGES, files }, body);
}

const SERVER = `
# Before Bundler, which does not know it.
require 'webrick'
require '${PLACE}/environment'
Setting.rest_api_enabled = '1'
admin = User.find_by_login('admin')
admin.update_columns(must_change_passwd: false)
$stdout.sync = true
puts "key #{admin.api_key}."
require 'rack/handler/webrick'
app = Rack::URLMap.new('/redmine' => Rails.application)
options = { Host: '127.0.0.1', Port: 0, AccessLog: [], Logger: WEBrick::Log.new($stderr, WEBrick::Log::WARN) }
Rack::Handler::WEBrick.run(app, **options) { |server| puts "port #{server.config[:Port]}." }
`;

export async function startRedmine(): Promise<Redmine> {
  const folder = await mkdtemp(join(tmpdir(), 'redmine-'));
  await Promise.all(['config', 'log', 'tmp'].map((name) => mkdir(join(folder, name))));
  await copyFile(DATABASE, join(folder, 'database'));
  await writeFile(
    join(folder, 'config/database.yml'),
    `production: {adapter: sqlite3, database: ${folder}/database}\n`,
  );
  await writeFile(join(folder, 'config/secret_key.txt'), '0123456789abcdef'.repeat(4));
  const ruby = runProgram(['ruby', '-e', SERVER], {
    RAILS_ENV: 'production',
    LANG: 'C.UTF-8',
    HOME: folder,
    // Debian expects instances below its own folder, and this folder is elsewhere.
    REDMINE_INSTANCE: `${'../'.repeat(8)}${folder}`,
  });
  await ruby.says('port ');
  const said = (name: string) => new RegExp(`${name} (\\w+)\\.`).exec(ruby.output.stdout)?.[1] ?? '';
  return {
    url: `http://127.0.0.1:${said('port')}/redmine`,
    apiKey: said('key'),
    async stop() {
      ruby.signal('SIGKILL', 'group');
      await ruby.exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
