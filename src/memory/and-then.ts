// Goes on with a value that is often there already. A call takes some thirty steps, and a promise for each costs more than
// most of the steps.

/** `use` runs at once for a value, and what it throws is thrown. */
export const andThen = <T, R>(value: T | Promise<T>, use: (value: T) => R | Promise<R>): R | Promise<R> =>
  value instanceof Promise ? value.then(use) : use(value);
