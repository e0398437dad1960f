// Sets the title of the browser's tab: the page, and how many calls wait for the person.
import { useLayoutEffect } from 'preact/hooks';

let title = '';
let count = 0;

export function setTabTitle(text: string): void {
  title = text;
  show();
}

export function useTabCount(waiting: number): void {
  useLayoutEffect(() => setCount(waiting), [waiting]);
  // Pages without the shell do not count.
  useLayoutEffect(() => () => setCount(0), []);
}

function setCount(waiting: number): void {
  count = waiting;
  show();
}

function show(): void {
  if (title !== '') document.title = count === 0 ? title : `(${count}) ${title}`;
}
