// A mark of our own: two voices of one conversation.
export const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" rx="9" fill="#f3e6ee"/><g fill="none" stroke="#6b2353" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"><path d="M10 11h14v8.5H15L10 23z"/><path d="M28 17h2v13l-4.5-3.5H17V23.5"/></g></svg>';
