// Removes from a name what could reverse or hide text: a client or a service has chosen the name.
export function plainName(name: string): string {
  return name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ').trim();
}
