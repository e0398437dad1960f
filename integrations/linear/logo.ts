// A mark of our own: a board with its columns.
export const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="9" fill="#e8e6f6"/><path d="M8.5 10.5H13v19H8.5zM17.75 10.5h4.5v13h-4.5zM27 10.5h4.5v8H27z" fill="none" stroke="#3b3183" stroke-width="2.4" stroke-linejoin="round"/></svg>';
