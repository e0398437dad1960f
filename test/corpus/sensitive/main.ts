// Measures what is found in the examples of others: the rules of gitleaks, the account numbers of a library, and the cards that
// providers publish for tests. Run by `npm run corpus:secrets`. docs/outside-content.md has the figures.
import { execFileSync } from 'node:child_process';
import { cpSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { type Removed, removeSensitive } from '../../../src/json/sensitive.ts';

const GITLEAKS = 'github.com/zricethezav/gitleaks/v8@v8.30.1';
const BYTES = 64 * 1024 * 1024;

const Example = z.object({ rule: z.string(), isReal: z.boolean(), text: z.string() });
type Example = z.infer<typeof Example>;

/** Runs the program that writes the rules of gitleaks. In place of checking its examples it prints them. */
function examplesOfGitleaks(): Example[] {
  const module = execFileSync('go', ['mod', 'download', '-json', GITLEAKS], { encoding: 'utf8' });
  const { Dir } = z.object({ Dir: z.string() }).parse(JSON.parse(module));
  const folder = mkdtempSync(join(tmpdir(), 'gitleaks-'));
  try {
    cpSync(Dir, folder, { recursive: true });
    execFileSync('chmod', ['-R', 'u+w', folder]);
    const program = join(folder, 'cmd/generate/config');
    copyFileSync(join(import.meta.dirname, 'validate.go'), join(program, 'utils/validate.go'));
    const lines = execFileSync('go', ['run', '.', join(folder, 'rules.toml')], {
      cwd: program,
      encoding: 'utf8',
      maxBuffer: BYTES,
    });
    const parsed = lines.split('\n').filter((line) => line.startsWith('{'));
    return parsed.map((line) => Example.parse(JSON.parse(line)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Stripe, Braintree and Adyen publish them for tests. */
const CARDS = `
  4242424242424242 4000056655665556 5555555555554444 2223003122003222 5200828282828210 5105105105105100 378282246310005
  371449635398431 6011111111111117 6011000990139424 6011981111111113 3056930009020004 36227206271667 6555900000604105
  3566002020360505 6200000000000005 6200000000000047 6205500000000000004 4111111111111111 4005519200000004 4009348888881881
  4012000033330026 4012000077777777 4012888888881881 4217651111111119 4500600000000061 2223000048400011 3530111333300000
  4988438843884305 4166676667666746 4646464646464644 4000620000000007 4000060000000006 5136333333333335 5585558555855583
  2222400010000008 5577000055770004 2222410740360010 5103221911199245 370000000000002 6445644564456445 36006666333344
  3569990010095841 6243030000000001 6771798021000008 5066991111111118 6062828888666688 6304000000000000
`;

const isFound = (text: string, kind?: string): boolean => {
  const removed: Removed = new Map();
  removeSensitive(text, new Set(['secrets', 'personal']), removed);
  return kind === undefined ? removed.size > 0 : removed.has(kind);
};

function tellOf(name: string, texts: readonly string[], kind: string): void {
  const missed = texts.filter((text) => !isFound(text, kind));
  console.log(`${name}: ${texts.length - missed.length} of ${texts.length} found`, missed.join(' '));
}

function tellOfGitleaks(examples: readonly Example[]): void {
  const rules = Map.groupBy(
    examples.filter(({ isReal }) => isReal),
    ({ rule }) => rule,
  );
  const shares = [...rules].map(([rule, texts]) => {
    const found = texts.filter(({ text }) => isFound(text)).length;
    return { rule, found, all: texts.length };
  });
  const whole = shares.filter(({ found, all }) => found === all);
  const partly = shares.filter(({ found, all }) => found > 0 && found < all);
  const none = shares.filter(({ found }) => found === 0);
  const sum = (list: readonly { found: number; all: number }[], member: 'found' | 'all') =>
    list.reduce((total, each) => total + each[member], 0);
  console.log(`gitleaks: every example of ${whole.length} of ${shares.length} rules is found`);
  console.log(`gitleaks: ${sum(shares, 'found')} of ${sum(shares, 'all')} examples are found`);
  console.log(`partly: ${partly.map(({ rule, found, all }) => `${rule} ${found}/${all}`).join(', ')}`);
  console.log(`not: ${none.map(({ rule }) => rule).join(', ')}`);
  const lookalikes = examples.filter(({ isReal }) => !isReal);
  const wrong = lookalikes.filter(({ text }) => isFound(text));
  console.log(`gitleaks: ${wrong.length} of ${lookalikes.length} lookalikes are taken out`);
  const byRule = Map.groupBy(wrong, ({ rule }) => rule);
  console.log(`by rule: ${[...byRule].map(([rule, texts]) => `${rule} ${texts.length}`).join(', ')}`);
}

const require = createRequire(import.meta.url);
const Iban = z.object({ countries: z.record(z.string(), z.looseObject({ example: z.string() })) });
const { countries } = Iban.parse(require('iban'));

tellOfGitleaks(examplesOfGitleaks());
tellOf(
  'IBAN',
  Object.values(countries).map(({ example }) => example),
  'iban',
);
tellOf('cards', CARDS.trim().split(/\s+/), 'card');
