// Reads and writes the tools of a set as they are stored.
import * as z from 'zod';

const Tools = z.array(z.string());

/** Throws for a text that the gateway has not written: nothing may be allowed by mistake. */
export const parseTools = (text: string): readonly string[] => Tools.parse(JSON.parse(text));
export const writeTools = (names: readonly string[]): string => JSON.stringify(names);
