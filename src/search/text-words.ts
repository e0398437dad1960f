// Reads texts as the bags of stems that the text index compares. The words of no meaning are data.
import { splitName, splitWords, stem } from './stems.ts';

/** Words that say nothing about a tool, also those by which people ask for help. */
export const STOP_LIST: readonly string[] = (
  'a about after all also am an and any are as at be because been before being between both but by can could did do does ' +
  'doing down during each few for from further get give had has have having he help her here him his how i if in into is ' +
  'it its just know let like made make many may me might more most much must my need no nor not now of off on once one only ' +
  'or other our out over own please provide same shall she should show so some such tell than that the their them then ' +
  'there these they this those through to too under until up us use used using very via want was we were what when where ' +
  'which while who whom whose why will with without would you your'
).split(' ');
const STOP_WORDS = new Set(STOP_LIST.map(stem));

/** Returns false for a single letter and for a word that says nothing about a tool. */
export const isTellingStem = (term: string): boolean => term.length > 1 && !STOP_WORDS.has(term);

const telling = (words: readonly string[]): string[] => words.map(stem).filter(isTellingStem);

export const termsOfText = (text: string): string[] => telling(splitWords(text));
export const termsOfName = (name: string): string[] => telling(splitName(name));
