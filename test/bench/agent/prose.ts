// Writes English text that is the same in every run: issues and an article for the fake providers.
const SUBJECTS = [
  'The council',
  'A survey of the harbour',
  'The second edition',
  'Most of the settlers',
  'Her later correspondence',
  'The railway company',
  'An engineer from the provincial office',
  'The reconstruction',
];
const VERBS = [
  'described',
  'had already replaced',
  'was compared with',
  'eventually led to',
  'contradicted',
  'became the model for',
  'depended on',
  'is mentioned in',
];
const OBJECTS = [
  'the narrow bridges of the old quarter',
  'a treaty that nobody had signed before 1742',
  'several accounts of the flood',
  'the methods that earlier historians had used',
  'wooden houses along the northern shore',
  'an agreement between both universities',
  'the growing trade in salt and copper',
  'regulations that remained in force for decades',
];
const ENDS = [
  ', although few records survive.',
  ' during the long winter of that year.',
  ', which surprised contemporary observers.',
  '.',
  ' until the archive was moved inland.',
  ', as the inventory of 1891 shows.',
  ' and remained so for three generations.',
];

/** Returns a function that picks members by a fixed sequence. */
export function createPicks(seed: number): <T>(members: readonly T[]) => T {
  let state = seed;
  return (members) => {
    // A linear congruential generator; Numerical Recipes' constants.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const member = members[Math.floor((state / 2 ** 32) * members.length)];
    if (member === undefined) throw new TypeError('there is nothing to pick from');
    return member;
  };
}

export function paragraph(seed: number, sentences: number): string {
  const pick = createPicks(seed);
  const all = Array.from(
    { length: sentences },
    () => `${pick(SUBJECTS)} ${pick(VERBS)} ${pick(OBJECTS)}${pick(ENDS)}`,
  );
  return all.join(' ');
}
