// Makes the parts of a gateway. Each maker takes all parts, and a part is made when another one first asks for it: no list
// has to be in the order of use. decision: 002

type Makers = Readonly<Record<string, (parts: never) => unknown>>;

/**
 * For a maker that copies all it is given: it is given what it needs, by name. A copy of all parts would ask for each of them.
 */
export function taking<Needs extends object, Part, const Names extends readonly (keyof Needs)[]>(
  make: (needs: Needs) => Part,
  names: Names & (Exclude<keyof Needs, Names[number]> extends never ? unknown : 'names miss a need'),
): (parts: Needs) => Part {
  // The type of `names` says that it has every key of `Needs`.
  return (parts) => make(Object.fromEntries(names.map((name) => [name, parts[name]])) as Needs);
}

/** Adds what the makers make to `base`. Throws a `TypeError` where two parts have one name, or need each other to be made. */
export function makeParts(base: object, makers: readonly Makers[]): object {
  const parts = { ...base };
  const under: string[] = [];
  const named = makers.flatMap((some) => Object.entries(some));
  for (const [name, make] of named) {
    if (Object.hasOwn(parts, name)) throw new TypeError(`two parts of the gateway are named "${name}"`);
    Object.defineProperty(parts, name, {
      configurable: true,
      enumerable: true,
      get() {
        if (under.includes(name))
          throw new TypeError(`parts need each other to be made: ${[...under, name].join(' > ')}`);
        under.push(name);
        // The type of each maker was checked where the features are listed.
        const value = make(parts as never);
        under.pop();
        Object.defineProperty(parts, name, { value, configurable: true, enumerable: true, writable: true });
        return value;
      },
    });
  }
  // What nobody has asked for yet is made now, so that no request waits for it. The copy has values only.
  return { ...parts };
}
