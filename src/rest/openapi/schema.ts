// Turns schemas into those of OpenAPI 3.1, which are JSON Schema 2020-12.
import * as z from 'zod';
import { type JsonSchema, tidySchema } from '../../kit/validation.ts';

/** Refuses unknown fields only where the gateway does: a request says so itself, and a response may get new fields. */
export function toSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      tidySchema(jsonSchema);
      delete jsonSchema.readOnly;
      if (io === 'output' && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties;
    },
  });
  return json;
}

/** Moves a schema to another place of a document: references to itself lead there. */
export function moveSchema(schema: JsonSchema, place: string): JsonSchema {
  const moved = JSON.stringify(schema, (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' && value.startsWith('#') ? place + value.slice(1) : value,
  );
  // The text was made of an object just above.
  return JSON.parse(moved) as JsonSchema;
}
