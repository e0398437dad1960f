// Writes what an MCP server says on stderr to the log: few lines, each cut, without the person's values.
import type { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { Clock } from '../../src/ports/clock.ts';
import type { Log } from '../../src/ports/log.ts';

// A longer line is not shown: a secret at the end of its beginning would not be recognised.
const MAX_LINE_CHARACTERS = 16_384;
const MAX_SHOWN_CHARACTERS = 500;
const WINDOW_MS = 10_000;
const LINES_PER_WINDOW = 20;
const LAST_LINES = 3;
const MAX_LAST_CHARACTERS = 300;
const NOT_TELLING = /^(?:Node\.js v|Traceback \(most recent call last\))/;
const TOO_LONG = `(a line of more than ${MAX_LINE_CHARACTERS} characters)`;

interface Needs {
  log: Log;
  clock: Pick<Clock, 'millis'>;
  /** The server and the process, for each line of the log. */
  fields: Record<string, unknown>;
  /** Removes secrets from a text. */
  redact: (text: string) => string;
}

export interface StderrLog {
  read(from: Readable): void;
  /** Takes a line that did not come from stderr. */
  line(text: string): void;
  /** The last lines that say something, without the stack traces and the source that Node and Python show. */
  lastWords(): string;
  /** Says how many lines were left out. */
  finish(): void;
}

export function createStderrLog({ log, clock, fields, redact }: Needs): StderrLog {
  let begun = '';
  let isTooLong = false;
  let lastLines: string[] = [];
  let windowStart = Number.NEGATIVE_INFINITY;
  let written = 0;
  let leftOut = 0;

  function show(raw: string): void {
    const text = clean(redact(raw));
    if (text.trim() === '') return;
    remember(text);
    const now = clock.millis();
    if (now - windowStart >= WINDOW_MS) {
      finish();
      windowStart = now;
      written = 0;
    }
    if (written >= LINES_PER_WINDOW) return void leftOut++;
    written++;
    log.write('info', 'mcp server said', { ...fields, text });
  }

  function remember(text: string): void {
    // Node shows where an error was thrown: the place, the line of the source, and marks below it.
    if (/^\s*\^+\s*$/.test(text)) lastLines = lastLines.slice(0, -2);
    else if (/^\S.*\p{L}/u.test(text) && !NOT_TELLING.test(text))
      lastLines = [...lastLines, text.trim().slice(0, MAX_LAST_CHARACTERS)].slice(-LAST_LINES);
  }

  function finish(): void {
    if (begun !== '' || isTooLong) endLine();
    if (leftOut > 0) log.write('info', 'mcp server said more', { ...fields, lines: leftOut });
    leftOut = 0;
  }

  function endLine(): void {
    const line = isTooLong ? TOO_LONG : begun;
    begun = '';
    isTooLong = false;
    show(line);
  }

  function add(text: string): void {
    if (begun.length + text.length > MAX_LINE_CHARACTERS) {
      isTooLong = true;
      begun = '';
    }
    if (!isTooLong) begun += text;
  }

  return {
    read(from) {
      from.setEncoding('utf8').on('data', (text: string) => {
        const [first = '', ...more] = text.split('\n');
        add(first);
        for (const next of more) {
          endLine();
          add(next);
        }
      });
      from.on('error', () => {});
    },
    line: (text) => show(text.length > MAX_LINE_CHARACTERS ? TOO_LONG : text),
    lastWords: () => lastLines.join(' / ').replace(/[\s.]+$/, ''),
    finish,
  };
}

/** Removes colours and invisible characters, because a person reads the last line. */
function clean(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
    .slice(0, MAX_SHOWN_CHARACTERS);
}
