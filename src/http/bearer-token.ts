// Reads the token of a Bearer credential. RFC 6750 §2.1

/** Reads the token out of an `Authorization` header. */
export function bearerToken(authorization: string | null | undefined): string | null {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? null;
}
