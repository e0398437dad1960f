// Lists reports, and runs one as a table.
import * as z from 'zod';
import type { Tool } from '../../src/kit/integration.ts';
import { API, row, some, text, texts } from './fields.ts';

const REPORTS = `${API}/analytics/reports` as const;
const Listed = z.lazy(() => z.array(z.object({ id: text, name: text })));
const Cells = z.lazy(() => z.array(z.object({ label: text.nullish(), value: z.unknown() })));
const Group = z.object({ key: text, label: text.nullish() });
interface Grouping extends z.infer<typeof Group> {
  groupings?: Grouping[] | undefined;
}
const Grouping: z.ZodType<Grouping> = Group.extend({
  groupings: z.lazy(() => z.array(Grouping)).optional(),
});
const Report = z.lazy(() =>
  z.object({
    allData: z.boolean().default(true),
    attributes: z.object({ reportName: some }).optional(),
    reportMetadata: z.object({ detailColumns: texts.nullish(), aggregates: texts.nullish() }),
    reportExtendedMetadata: z.object({
      detailColumnInfo: z.record(text, z.object({ label: text })).nullish(),
      aggregateColumnInfo: z.record(text, z.object({ label: text })).nullish(),
    }),
    groupingsDown: z.object({ groupings: z.array(Grouping).nullish() }).nullish(),
    factMap: z.record(
      text,
      z.object({ rows: z.array(z.object({ dataCells: Cells })).nullish(), aggregates: Cells.nullish() }),
    ),
  }),
);

export const reports: readonly Tool[] = [
  row(
    'salesforce_list_reports',
    `GET ${REPORTS}`,
    'List the reports that you have viewed last, at most 200; salesforce_query on Report finds others',
    () => ({}),
    { result: (payload) => ({ reports: Listed.parse(payload).map(({ id, name }) => ({ id, name })) }) },
  ),
  row(
    'salesforce_run_report',
    `GET ${REPORTS}/{reportId}`,
    'Run a report, and read its rows and totals as a table, of at most 2000 rows',
    () => ({
      reportId: text.describe('`id` of the report, from salesforce_list_reports'),
      includeDetails: z.boolean().default(true).describe('false returns only groups and totals'),
    }),
    { result: showReport },
  ),
];

function showReport(payload: unknown): object {
  const { allData, attributes, reportMetadata, reportExtendedMetadata, groupingsDown, factMap } =
    Report.parse(payload);
  const { detailColumnInfo, aggregateColumnInfo } = reportExtendedMetadata;
  const names = new Map<string, string>();
  collect(groupingsDown?.groupings ?? [], '', names);
  const labels = (given: z.infer<typeof Cells> | null | undefined) =>
    (given ?? []).map(({ label, value }) => label ?? value ?? '');
  const totalNames = (reportMetadata.aggregates ?? []).map(
    (name) => aggregateColumnInfo?.[name]?.label ?? name,
  );
  const groups = Object.entries(factMap).map(([key, { rows, aggregates }]) => {
    // The key names the groups of the rows and of the columns, such as 0_1!T. T is the total.
    const group = names.get(key.split('!')[0] ?? '');
    const totals = labels(aggregates).map((label, index) => [totalNames[index] ?? String(index), label]);
    const cells = (rows ?? []).map(({ dataCells }) => labels(dataCells));
    return {
      ...(group === undefined ? {} : { group }),
      ...(cells.length === 0 ? {} : { rows: cells }),
      totals: Object.fromEntries(totals),
    };
  });
  return {
    ...(attributes?.reportName === undefined ? {} : { name: attributes.reportName }),
    columns: (reportMetadata.detailColumns ?? []).map((name) => detailColumnInfo?.[name]?.label ?? name),
    groups,
    ...(allData ? {} : { truncated: true }),
  };
}

/** Writes down the name of each group by its key, with the names of the groups around it. */
function collect(groupings: readonly Grouping[], around: string, names: Map<string, string>): void {
  for (const { key, label, groupings: inner = [] } of groupings) {
    const name = `${around}${label ?? '-'}`;
    names.set(key, name);
    collect(inner, `${name} / `, names);
  }
}
