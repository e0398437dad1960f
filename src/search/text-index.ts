// Indexes the texts of a segment's tools by fields: how much each stem counts for each tool (BM25F). decision: 033
import { isObject } from '../json/json.ts';
import type { Searchable } from './document.ts';
import { termsOfName, termsOfText } from './text-words.ts';

// Bounds the memory of an imported tool that has thousands of words.
const MAX_DESCRIPTION = 1_024;
const MAX_ARGUMENTS = 32;
const MAX_ARGUMENT_TEXT = 120;
const MAX_STEMS = 128;

/** How much a text that is longer than usual counts less. */
const LENGTH_SHARE = 0.5;

/**
 * What a field is worth, and how many stems it usually has. The usual lengths are constants, so that a segment is indexed
 * once for everybody, and no import changes what the tools of another one are worth.
 */
const FIELDS = {
  name: { worth: 2, usual: 3 },
  server: { worth: 0.5, usual: 1.5 },
  description: { worth: 1, usual: 10 },
  argument: { worth: 0.25, usual: 4 },
  argumentText: { worth: 0.1, usual: 12 },
};

export interface TextIndex {
  /** The number of tools. */
  size: number;
  stems: Iterable<string>;
  /** How many tools contain the stem. */
  count: (stem: string) => number;
  /** Calls back for each tool that contains the stem, in their order, with how much it counts there. */
  each: (stem: string, use: (tool: number, weight: number) => void) => void;
}

export interface GrowingTextIndex {
  add: (tool: Searchable) => void;
  finish: () => TextIndex;
}

export function startTextIndex(): GrowingTextIndex {
  const growing = new Map<string, { tools: number[]; weights: number[] }>();
  let size = 0;

  function add(tool: Searchable): void {
    const at = size++;
    const counts = new Map<string, number>();
    for (const { stems, worth, usual } of fieldsOf(tool)) {
      const share = worth / (1 - LENGTH_SHARE + (LENGTH_SHARE * stems.length) / usual);
      for (const stem of stems)
        if (counts.has(stem) || counts.size < MAX_STEMS) counts.set(stem, (counts.get(stem) ?? 0) + share);
    }
    for (const [stem, weight] of counts) {
      const posting = growing.get(stem) ?? { tools: [], weights: [] };
      growing.set(stem, posting);
      posting.tools.push(at);
      posting.weights.push(weight);
    }
  }

  /** Packs the postings one after another: arrays for each stem take five times as much. */
  function finish(): TextIndex {
    const postings = [...growing.values()];
    const total = postings.reduce((sum, { tools }) => sum + tools.length, 0);
    const tools = new Uint32Array(total);
    const weights = new Float32Array(total);
    const starts = new Uint32Array(postings.length + 1);
    for (const [place, posting] of postings.entries()) {
      const start = starts[place] ?? 0;
      tools.set(posting.tools, start);
      weights.set(posting.weights, start);
      starts[place + 1] = start + posting.tools.length;
    }
    const places = new Map([...growing.keys()].map((stem, place) => [stem, place] as const));
    growing.clear();

    const rangeOf = (stem: string): [start: number, end: number] => {
      const place = places.get(stem);
      return place === undefined ? [0, 0] : [starts[place] ?? 0, starts[place + 1] ?? 0];
    };
    return {
      size,
      get stems() {
        return places.keys();
      },
      count(stem) {
        const [start, end] = rangeOf(stem);
        return end - start;
      },
      each(stem, use) {
        const [start, end] = rangeOf(stem);
        for (let at = start; at < end; at++) use(tools[at] ?? 0, weights[at] ?? 0);
      },
    };
  }

  return { add, finish };
}

type Field = { stems: string[]; worth: number; usual: number };

function fieldsOf({ name, description, integration, schema }: Searchable): Field[] {
  const own = name.startsWith(`${integration}_`) ? name.slice(integration.length + 1) : name;
  const properties = argumentsOf(schema?.());
  return [
    { ...FIELDS.name, stems: termsOfName(own) },
    { ...FIELDS.server, stems: termsOfName(integration) },
    { ...FIELDS.description, stems: termsOfText(description.slice(0, MAX_DESCRIPTION)) },
    { ...FIELDS.argument, stems: properties.flatMap(([key]) => termsOfName(key)) },
    { ...FIELDS.argumentText, stems: properties.flatMap(([, text]) => termsOfText(text)) },
  ];
}

function argumentsOf(schema: unknown): [name: string, text: string][] {
  const properties = isObject(schema) ? schema['properties'] : undefined;
  if (!isObject(properties)) return [];
  return Object.entries(properties)
    .slice(0, MAX_ARGUMENTS)
    .map(([key, node]) => {
      const text = isObject(node) ? node['description'] : undefined;
      return [key, typeof text === 'string' ? text.slice(0, MAX_ARGUMENT_TEXT) : ''];
    });
}
