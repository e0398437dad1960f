// Reads the word vectors, by which a sentence is compared with tools that say it in other words. docs/search.md#word-vectors
import { bitCount } from './bit-count.ts';

/** What a tool's vector is multiplied with to be kept as bytes. */
const BYTE = 127;

export interface WordVectors {
  /** The number of values of a vector. */
  length: number;
  /** The vector of stems at unit length, each with its weight. Unknown stems are left out. */
  sum: (stems: Iterable<readonly [stem: string, weight: number]>) => Float32Array;
  /** Prepares stems to be compared with a word of a query. */
  among: (stems: Iterable<string>) => FindNear;
}

/** Returns the stems whose cosine is at least `least`, and nearly all of them: the nearest are never missed. */
type FindNear = (stem: string, least: number) => readonly NearStem[];
export type NearStem = { stem: string; cosine: number };

/** Two vectors of a high cosine differ in at most so many signs, after a transform that gives each sign the same weight. */
const MAX_OTHER_SIGNS = 26;

/**
 * The file is little-endian: "WV01", the number of stems, the length of a vector and the bytes of the list of stems as
 * uint32; the stems, one a line; at the next place that is divisible by 4 a float32 scale for each stem; the vectors as int8.
 */
export function readWordVectors(bytes: Uint8Array): WordVectors {
  const head = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = (from: number, to: number): string => new TextDecoder().decode(bytes.subarray(from, to));
  if (text(0, 4) !== 'WV01' || head.getUint32(8, true) !== 64)
    throw new TypeError('the file of word vectors has another format');
  const count = head.getUint32(4, true);
  const length = head.getUint32(8, true);
  const listEnd = 16 + head.getUint32(12, true);
  const places = new Map(
    text(16, listEnd)
      .split('\n')
      .map((stem, place) => [stem, place] as const),
  );
  const scalesStart = Math.ceil(listEnd / 4) * 4;
  const scales = Float32Array.from({ length: count }, (_, place) =>
    head.getFloat32(scalesStart + 4 * place, true),
  );
  const values = new Int8Array(bytes.buffer, bytes.byteOffset + scalesStart + 4 * count, count * length);

  return {
    length,
    sum(stems) {
      const vector = new Float32Array(length);
      for (const [stem, weight] of stems) {
        const place = places.get(stem);
        if (place === undefined) continue;
        const factor = weight * (scales[place] ?? 0);
        for (let at = 0; at < length; at++)
          vector[at] = (vector[at] ?? 0) + factor * (values[place * length + at] ?? 0);
      }
      let square = 0;
      for (const value of vector) square += value * value;
      const size = Math.sqrt(square);
      return size === 0 ? vector : vector.map((value) => value / size);
    },

    among(stems) {
      const known = [...stems].flatMap((stem) => {
        const place = places.get(stem);
        return place === undefined ? [] : [{ stem, place, signs: signsOf(place) }];
      });
      return (wanted, least) => {
        const place = places.get(wanted);
        if (place === undefined) return [];
        const signs = signsOf(place);
        const near: NearStem[] = [];
        for (const each of known) {
          if (each.place === place || otherSigns(signs, each.signs) > MAX_OTHER_SIGNS) continue;
          const cosine = cosineOf(place, each.place);
          if (cosine >= least) near.push({ stem: each.stem, cosine });
        }
        return near;
      };
    },
  };

  function cosineOf(one: number, other: number): number {
    let product = 0;
    for (let at = 0; at < length; at++)
      product += (values[one * length + at] ?? 0) * (values[other * length + at] ?? 0);
    return product * (scales[one] ?? 0) * (scales[other] ?? 0);
  }

  /** Packs the signs of a vector after a Hadamard transform: comparing them takes a tenth of a cosine. */
  function signsOf(place: number): Signs {
    const turned = Float64Array.from(values.subarray(place * length, (place + 1) * length));
    for (let step = 1; step < length; step *= 2)
      for (let at = 0; at < length; at++) {
        if (at & step) continue;
        const [one, other] = [turned[at] ?? 0, turned[at + step] ?? 0];
        turned[at] = one + other;
        turned[at + step] = one - other;
      }
    const pack = (part: Float64Array): number =>
      part.reduce((bits, value, at) => (value > 0 ? bits | (1 << at) : bits), 0);
    return { low: pack(turned.subarray(0, 32)), high: pack(turned.subarray(32)) };
  }
}

type Signs = { low: number; high: number };

const otherSigns = (one: Signs, other: Signs): number =>
  bitCount(one.low ^ other.low) + bitCount(one.high ^ other.high);

/** The vectors of tools, a byte a value, one after another. */
export interface ToolVectors {
  set: (tool: number, vector: Float32Array) => void;
  /** The cosine of a vector with that of each tool. */
  near: (vector: Float32Array) => Float32Array;
}

export function createToolVectors(tools: number, length: number): ToolVectors {
  const values = new Int8Array(tools * length);
  return {
    set(tool, vector) {
      for (let at = 0; at < length; at++) values[tool * length + at] = Math.round((vector[at] ?? 0) * BYTE);
    },
    near(vector) {
      const cosines = new Float32Array(tools);
      for (let tool = 0, place = 0; tool < tools; tool++) {
        let product = 0;
        for (let at = 0; at < length; at++) product += (vector[at] ?? 0) * (values[place++] ?? 0);
        cosines[tool] = product / BYTE;
      }
      return cosines;
    },
  };
}
