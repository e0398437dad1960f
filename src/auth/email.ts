// Reads e-mail addresses as they are stored. reference: Users
import * as z from 'zod';

// RFC 5321 §4.5.3.1. A longer value would not fit a database index.
export const MAX_EMAIL_LENGTH = 254;

// Lower-cases only A to Z: other letters (the Kelvin sign) would become ASCII letters and open another
// person's account.
export const inLowerCase = (text: string): string =>
  text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** An address that somebody types, in the spelling in which a sign-in finds it. */
export const EmailAddress = z
  .string()
  .transform((text) => inLowerCase(text.trim()))
  .pipe(
    z
      .string()
      .max(MAX_EMAIL_LENGTH, { error: `is longer than ${MAX_EMAIL_LENGTH} characters` })
      .regex(/^[^\s@\p{Cc}\p{Cf}\p{Cs}]+@[^\s@\p{Cc}\p{Cf}\p{Cs}]+$/u, {
        error: 'must be an e-mail address',
      }),
  );
