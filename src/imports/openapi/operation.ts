// Declares the recipe of a call: how the arguments of a tool become one HTTP request. It is JSON and is stored with the tool.

/**
 * An operation of an OpenAPI description, version 3.1 whatever the description was written in. Every argument of the tool
 * occurs exactly once: in `parameters`, in `body.members` or as `body.argument`. An argument that the caller leaves out is
 * left out of the request; the input schema says which ones are required.
 */
export interface OperationRecipe {
  /** In capitals. */
  method: string;
  /** Follows the base. It starts with a slash, `{name}` stands for a path parameter, and the rest is not percent-encoded again. */
  path: string;
  /** An absolute address without a final slash, when it is not `SourceDescription.base`. It has the same origin. */
  base?: string;
  parameters: OperationParameter[];
  body?: OperationBody;
  /** The media types of successful answers, for the header `Accept`, the best ones first. Empty when none is described. */
  accepts: string[];
}

/** How a value becomes text. OpenAPI 3.1 §4.8.12; `tabDelimited` is the `tsv` of OpenAPI 2.0. */
export type Style =
  | 'simple'
  | 'label'
  | 'matrix'
  | 'form'
  | 'spaceDelimited'
  | 'pipeDelimited'
  | 'tabDelimited'
  | 'deepObject';

export interface OperationParameter {
  /** The argument of the tool that carries the value. */
  argument: string;
  /** The name in the request. */
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  style: Style;
  explode: boolean;
  /** Reserved characters of RFC 3986 §2.2 stay as they are. */
  allowReserved?: true;
  /** The value is written in this media type, such as `application/json`, and `style` and `explode` do not count. */
  contentType?: string;
}

/**
 * - `json`: the value, as JSON.
 * - `form`: `application/x-www-form-urlencoded`. `multipart`: `multipart/form-data`. Both take an object.
 * - `text`: a text, as it is.
 * - `bytes`: a file argument.
 */
export type BodyEncoding = 'json' | 'form' | 'multipart' | 'text' | 'bytes';

export interface OperationBody {
  /**
   * The media type of the request, as described. It may have parameters. A multipart boundary is not part of it. For
   * `bytes` it may have a `*`, such as `image/*`: then it is the type of the kept file.
   */
  contentType: string;
  encoding: BodyEncoding;
  /** Without it no body is sent when none of its arguments is given. With it an object without members is `{}`. */
  required: boolean;
  /** The argument that is the whole body. Without it the body is an object, and each of its members has an argument. */
  argument?: string;
  /** With `argument`, only members of a form or of multipart that are encoded specially, and these carry no argument. */
  members: OperationMember[];
}

/** A member of the body: a property of a JSON object, a field of a form, or a part of multipart. */
export interface OperationMember {
  /** The argument of the tool that carries the value. Missing when `OperationBody.argument` carries the whole body. */
  argument?: string;
  /** The name of the property, field or part. */
  name: string;
  /**
   * Only for a form, whose fields are `form` and exploded when nothing else is said. An object or an array of objects
   * below a style that cannot write it is JSON.
   */
  style?: Style;
  explode?: boolean;
  allowReserved?: true;
  /**
   * Only for a form or multipart: the media type of the field or part. Without it a text, number or boolean is text, an
   * object is `application/json`, an array is one part for each item, and a file has the type of the kept file.
   */
  contentType?: string;
  /**
   * The value is a file, or an array of files: each is the text `file:<handle>` of a kept file, or otherwise the text
   * that the file contains.
   */
  isFile?: true;
}
