// Selects what a caller needs to know about a pipeline. reference: Upstream behaviours
import * as z from 'zod';

const Named = z.lazy(() => z.looseObject({ name: z.string().nullish() }).nullish());
const Pipeline = z.lazy(() =>
  z.looseObject({
    uuid: z.string().optional(),
    build_number: z.int().optional(),
    state: z.looseObject({ name: z.string().nullish(), result: Named, stage: Named }).nullish(),
    target: z
      .looseObject({
        ref_name: z.string().nullish(),
        selector: z.looseObject({ pattern: z.string().nullish() }).nullish(),
        commit: z.looseObject({ hash: z.string().nullish() }).nullish(),
      })
      .nullish(),
    created_on: z.string().nullish(),
    completed_on: z.string().nullish(),
  }),
);
const PipelinesPage = z.lazy(() => z.looseObject({ values: z.array(z.unknown()).default([]) }));

/** Later calls look the pipeline up by its uuid or number. */
export function stateOf(payload: unknown) {
  const { uuid, build_number, state } = Pipeline.parse(payload);
  return {
    uuid,
    build_number,
    state: state?.name ?? null,
    result: state?.result?.name ?? state?.stage?.name ?? null,
  };
}

export function slim(payload: unknown) {
  const { target, created_on = null, completed_on = null } = Pipeline.parse(payload);
  return {
    ...stateOf(payload),
    ref_name: target?.ref_name ?? null,
    pattern: target?.selector?.pattern ?? null,
    commit: target?.commit?.hash ?? null,
    created_on,
    completed_on,
  };
}

export function slimPage(payload: unknown) {
  const page = PipelinesPage.parse(payload);
  return { ...page, values: page.values.map(slim) };
}
