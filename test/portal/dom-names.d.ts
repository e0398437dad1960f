// The names of the page that playwright's types mention, and those of the portal's modules that tests import. Tests
// compile without the DOM: they only drive it.
interface Node {}
interface HTMLElement extends Node {}
interface SVGElement extends Node {}
interface HTMLElementTagNameMap {}
interface StorageEvent {
  readonly key: string | null;
}
declare const history: { replaceState(state: unknown, unused: string, url: string): void };
