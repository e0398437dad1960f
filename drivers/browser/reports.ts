// Validates the helper's reports field by field: a page that broke out of its world could send anything.
import * as z from 'zod';

const text = (longest: number) => z.string().transform((value) => value.slice(0, longest));

const Field = z.object({
  tag: text(50),
  type: text(50),
  autocomplete: text(200),
  inputMode: text(50),
  label: text(200),
  maxLength: z.number(),
  multiline: z.boolean(),
});

const Option = z.object({
  label: text(200),
  group: text(200),
  disabled: z.boolean(),
  selected: z.boolean(),
});

const Report = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('focus'), field: Field.nullable() }),
  z.object({ kind: z.literal('cursor'), cursor: text(200) }),
  z.object({ kind: z.literal('copied'), text: text(1 << 20) }),
  z.object({
    kind: z.literal('select'),
    number: z.int(),
    label: text(200),
    options: z.array(Option).max(2_000),
  }),
  z.object({ kind: z.literal('selectClosed'), number: z.int() }),
]);

export type Report = z.infer<typeof Report>;

export function readReport(payload: string): Report | null {
  try {
    return Report.safeParse(JSON.parse(payload)).data ?? null;
  } catch {
    return null;
  }
}
