// Holds the texts around what others have written: arguments, and characters that are usually invisible.
const number = (count: number) => count.toLocaleString('en');

export const visibleTexts = {
  more: (characters: number) => `Show ${number(characters)} more characters`,
  moreOf: (characters: number, of: string) => `Show ${number(characters)} more characters of ${of}`,
  less: 'Show less',
  lessOf: (of: string) => `Show less of ${of}`,
  moreItems: (count: number) => `Show ${number(count)} more`,
  arguments: 'Arguments',
  noArguments: 'No arguments.',
  gone: 'The arguments are no longer stored.',
  hidden: 'These arguments contain characters that are usually invisible. They are marked like this:',
  hiddenExample: 'U+202E',
  fileGone: 'This file no longer exists.',
  emptyText: 'empty text',
  emptyList: 'empty list',
  emptyObject: 'nothing inside',
  item: (index: number) => `${index}`,
  asJson: 'Show as JSON',
  asList: 'Show as a list',
  json: 'Arguments as JSON',
  copy: 'Copy JSON',
};
