// A schema for the library that accepts every result, because ours are read elsewhere.
import type { StandardSchemaV1 } from '@modelcontextprotocol/client';
import { isObject } from '../../json/json.ts';

export const anyResult: StandardSchemaV1<unknown, Record<string, unknown>> = {
  '~standard': {
    version: 1,
    vendor: 'tool-gateway',
    validate: (value) => ({ value: isObject(value) ? value : {} }),
  },
};
