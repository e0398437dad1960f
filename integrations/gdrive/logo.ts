// A mark of our own: a drawer with its handle.
export const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="9" fill="#e3f1e6"/><g fill="none" stroke="#24663a" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"><path d="M10 21.5 14 11h12l4 10.5V29H10z"/><path d="M10 21.5h20M18 25.3h4"/></g></svg>';
