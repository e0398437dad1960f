// A mark of our own: a frame with a selected node.
export const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="9" fill="#f7e6ea"/><path d="M12 9v22M28 9v22M9 12h22M9 28h22" fill="none" stroke="#7d2743" stroke-width="2.4" stroke-linecap="round"/><path d="M16.5 16.5h7v7h-7z" fill="#7d2743"/></svg>';
