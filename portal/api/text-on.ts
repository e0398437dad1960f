// Takes from the core how it chooses the colour of a text.
export { textOn } from '../../src/kit/text-on.ts';
