// Says that a request failed before anything of it was sent: no name, no connection, no TLS. The upstream has done nothing.
export class NotSent extends Error {
  override readonly name = 'NotSent';
}
