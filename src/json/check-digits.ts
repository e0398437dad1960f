// Checks the digits of cards (ISO/IEC 7812, Luhn) and of bank accounts (ISO 13616, modulo 97).

/** The numbers that issuers of cards use, with the lengths of theirs. */
const ISSUERS: readonly (readonly [start: RegExp, lengths: readonly number[]])[] = [
  [/^4/, [13, 16, 19]],
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  [/^3[47]/, [15]],
  [/^(?:6011|65|64[4-9])/, [16, 17, 18, 19]],
  [/^35(?:2[89]|[3-8])/, [16, 17, 18, 19]],
  [/^(?:36|38|39|30[0-5])/, [14, 16, 19]],
  [/^62/, [16, 17, 18, 19]],
  [/^(?:50(?:66|67|90|4175)|6363|606282)/, [16]],
  [/^(?:50(?:18|20|38)|5893|6304|6759|676[1-3]|6771)/, [13, 16, 18, 19]],
];

export function isCard(digits: string): boolean {
  if (!ISSUERS.some(([start, lengths]) => start.test(digits) && lengths.includes(digits.length)))
    return false;
  let sum = 0;
  for (const [at, digit] of digits.split('').toReversed().entries()) {
    const weighed = Number(digit) * (at % 2 === 0 ? 1 : 2);
    sum += weighed > 9 ? weighed - 9 : weighed;
  }
  return sum % 10 === 0;
}

/** The registry of IBAN: each country and the length of its numbers. The last two lines are countries that use them outside of it. */
const LENGTHS: ReadonlyMap<string, number> = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 ' +
    'FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 ' +
    'LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 ' +
    'RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30 ' +
    'AO25 BF27 BJ28 CI28 CM27 CV25 DZ24 IR26 MG27 ML28 MZ25 SN28 BL27 GF27 GP27 MF27 MQ27 NC27 PF27 PM27 RE27 TF27 WF27 YT27'
  )
    .split(' ')
    .map((each) => [each.slice(0, 2), Number(each.slice(2))]),
);

/** Returns how many characters of the text are an IBAN, with the spaces in it. 0 where it does not begin with one. */
export function lengthOfIban(text: string): number {
  const wanted = LENGTHS.get(text.slice(0, 2));
  if (wanted === undefined) return 0;
  let end = 0;
  let compact = '';
  while (compact.length < wanted && end < text.length) {
    const character = text.charAt(end++);
    if (character !== ' ') compact += character;
  }
  if (compact.length < wanted || /^[A-Z0-9]/.test(text.slice(end))) return 0;
  let rest = 0;
  for (const character of compact.slice(4) + compact.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1 ? end : 0;
}
