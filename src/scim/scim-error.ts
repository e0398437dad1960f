// Declares the errors of SCIM. RFC 7644 §3.12
import type { ContentfulStatusCode } from 'hono/utils/http-status';

type ScimType =
  | 'invalidFilter'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue';

/** The message is for whoever runs the directory. */
export class ScimError extends Error {
  readonly status: ContentfulStatusCode;
  readonly scimType: ScimType | undefined;

  constructor(status: ContentfulStatusCode, message: string, scimType?: ScimType) {
    super(message);
    this.name = 'ScimError';
    this.status = status;
    this.scimType = scimType;
  }
}

export const missing = (what: string): ScimError => new ScimError(404, `There is no such ${what}`);
export const badValue = (message: string): ScimError => new ScimError(400, message, 'invalidValue');
export const taken = (message: string): ScimError => new ScimError(409, message, 'uniqueness');

export function errorBody(status: number, detail: string, scimType?: ScimType): object {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    ...(scimType === undefined ? {} : { scimType }),
    detail,
  };
}
