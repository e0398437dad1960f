// Writes down everything that is stored of a person, without credentials. Each feature lists its own. reference: Exporting a person
import { roleOf } from '../auth/role.ts';
import type { Feature } from '../kit/feature.ts';
import type { Clock } from '../ports/clock.ts';
import type { User } from '../ports/records.ts';

type Bytes = Uint8Array<ArrayBuffer>;
export type ExportNeeds<Deps> = Deps & {
  clock: Clock;
  features: readonly Pick<Feature<Deps>, 'name' | 'personal'>[];
};
export type ExportPerson = (user: User) => AsyncIterable<Bytes>;

const encoder = new TextEncoder();

/** Returns one JSON object as it is sent: a long record of calls is never held whole. */
export function createExportPerson<Deps>(deps: ExportNeeds<Deps>): ExportPerson {
  const { clock, features } = deps;
  const readers = features.flatMap(({ personal }) =>
    personal?.export === undefined ? [] : [personal.export(deps)],
  );

  return async function* exportPerson(user) {
    const { id, email, created_at, invited_at, signed_in_at } = user;
    const head = {
      exportedAt: clock.now(),
      person: { id, email, role: roleOf(user), created_at, invited_at, signed_in_at },
    };
    yield encoder.encode(`{${Object.entries(head).map(toMember).join(',')}`);
    for (const read of readers)
      for (const [name, list] of Object.entries(read(user))) yield* toArrayMember(name, await list());
    yield encoder.encode('}\n');
  };
}

const toMember = ([name, value]: [string, unknown]): string =>
  `${JSON.stringify(name)}:${JSON.stringify(value)}`;

async function* toArrayMember(name: string, list: AsyncIterable<object> | Iterable<object>) {
  yield encoder.encode(`,${JSON.stringify(name)}:[`);
  let separator = '';
  for await (const item of list) {
    yield encoder.encode(`${separator}\n${JSON.stringify(item)}`);
    separator = ',';
  }
  yield encoder.encode(']');
}
