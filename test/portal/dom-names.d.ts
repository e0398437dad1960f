// Declares the DOM names that playwright's types and the imported portal modules mention. Tests compile without the DOM
// types, because they only drive the page.
interface Node {}
interface Element extends Node {
  matches(selectors: string): boolean;
}
interface HTMLElement extends Element {}
interface SVGElement extends Element {}
interface HTMLElementTagNameMap {}
interface StorageEvent {
  readonly key: string | null;
}
declare const history: { replaceState(state: unknown, unused: string, url: string): void };
