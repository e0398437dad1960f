// What a driver throws when the thing behind it cannot be reached now and may be later: answered with 503.
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}
