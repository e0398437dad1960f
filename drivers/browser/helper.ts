// Runs in every frame, in an isolated world that the page's scripts cannot see, and reports what a viewer
// needs to know.
export const WORLD = 'live-view';
export const BINDING = 'liveViewTell';

// Reacts only to trusted events, so a page cannot fake a person's input.
export const HELPER = `(() => {
  if (globalThis.liveView) return;
  // The binding may appear a moment after the page.
  const untold = [];
  const flush = (tries) => {
    if (typeof ${BINDING} === 'function') for (const one of untold.splice(0)) ${BINDING}(one);
    else if (tries > 0) setTimeout(flush, 50, tries - 1);
    else untold.length = 0;
  };
  const tell = (kind, more) => { if (untold.push(JSON.stringify({ kind, ...more })) === 1) flush(100); };
  const inner = (event) => event.composedPath()[0];
  const deepest = () => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    return element;
  };
  const TYPES = /^(text|search|url|tel|email|password|number|date|time|month|week|datetime-local)$/;
  const isText = (element) => element instanceof HTMLTextAreaElement || element?.isContentEditable
    || (element instanceof HTMLInputElement && TYPES.test(element.type));
  const labelOf = (element) => (element.getAttribute('aria-label')
    || [...(element.labels ?? [])].map((label) => label.textContent).join(' ').trim()
    || element.getAttribute('placeholder') || element.getAttribute('name') || '').replace(/\\s+/g, ' ').slice(0, 200);

  let focused = null;
  let asked = 0;
  const tellFocus = () => {
    const element = document.hasFocus() ? deepest() : null;
    focused = isText(element) && !element.disabled && !element.readOnly ? element : null;
    if (focused === null) return tell('focus', { field: null });
    tell('focus', { field: {
      tag: element.localName, type: element.type ?? '', autocomplete: element.autocomplete ?? '',
      inputMode: element.inputMode ?? '', label: labelOf(element), maxLength: element.maxLength ?? -1,
      multiline: element instanceof HTMLTextAreaElement || element.isContentEditable,
    } });
  };
  const soon = () => { cancelAnimationFrame(asked); asked = requestAnimationFrame(tellFocus); };
  addEventListener('focusin', soon, true);
  addEventListener('focusout', soon, true);
  addEventListener('focus', soon, true);
  addEventListener('blur', soon, true);
  addEventListener('scroll', () => focused && soon(), { capture: true, passive: true });
  addEventListener('resize', () => focused && soon());

  let cursor = '';
  addEventListener('mousemove', (event) => {
    if (!event.isTrusted) return;
    const element = inner(event);
    if (!(element instanceof Element)) return;
    const style = getComputedStyle(element).cursor;
    const next = style !== 'auto' ? style : isText(element) ? 'text' : element.closest('a[href]') ? 'pointer' : 'default';
    if (next !== cursor) tell('cursor', { cursor: (cursor = next).slice(0, 200) });
  }, { capture: true, passive: true });

  for (const name of ['copy', 'cut']) addEventListener(name, (event) => {
    if (!event.isTrusted) return;
    const element = deepest();
    const own = event.clipboardData?.getData('text/plain');
    const text = event.defaultPrevented && own ? own
      : element && 'selectionStart' in element && element.selectionStart !== null
        ? element.type === 'password' ? '' : element.value.slice(element.selectionStart, element.selectionEnd)
        : String(getSelection());
    if (text) tell('copied', { text: text.slice(0, 1 << 20) });
  });

  let opened = null;
  let count = 0;
  const openSelect = (event, select) => {
    if (!event.isTrusted || select.disabled) return;
    event.preventDefault();
    select.focus();
    opened = select;
    tell('select', { number: ++count, label: labelOf(select),
      options: [...select.options].slice(0, 2000).map((option) => ({
        label: (option.label || option.text).slice(0, 200), group: option.parentElement?.label ?? '',
        disabled: option.disabled || option.parentElement?.disabled === true, selected: option.selected })) });
  };
  const isDropDown = (element) => element instanceof HTMLSelectElement && element.size < 2 && !element.multiple;
  addEventListener('mousedown', (event) => {
    const select = inner(event)?.closest?.('select');
    if (isDropDown(select) && event.button === 0) openSelect(event, select);
  }, true);
  addEventListener('keydown', (event) => {
    const opens = event.key === ' ' || event.key === 'Enter' || event.key === 'F4' || (event.altKey && /^Arrow(Up|Down)$/.test(event.key));
    if (opens && isDropDown(inner(event))) openSelect(event, inner(event));
  }, true);
  addEventListener('focusout', (event) => {
    if (opened !== null && inner(event) === opened) { opened = null; tell('selectClosed', { number: count }); }
  }, true);

  globalThis.liveView = {
    focused: () => focused,
    opened: () => opened,
    choose(number, index) {
      if (opened === null || number !== count || opened.options[index]?.disabled !== false) return false;
      opened.selectedIndex = index;
      for (const name of ['input', 'change']) opened.dispatchEvent(new Event(name, { bubbles: true, composed: name === 'input' }));
      return true;
    },
    paste(text) {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', text);
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true, composed: true });
      return (deepest() ?? document.body ?? document).dispatchEvent(event);
    },
  };
  if (document.hasFocus()) soon();
})()`;
