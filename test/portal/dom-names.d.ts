// The names of the page that playwright's types mention. Tests compile without the DOM: they only drive it.
interface Node {}
interface HTMLElement extends Node {}
interface SVGElement extends Node {}
interface HTMLElementTagNameMap {}
