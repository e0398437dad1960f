// Encodes the body of a request out of the arguments of a call.
import { writeJson } from '../../json/exact-integers.ts';
import { isObject } from '../../json/json.ts';
import type { Bytes } from '../../kit/binary.ts';
import { isFileReference, type ToolFiles } from '../../kit/files.ts';
import { essenceOf, isJsonType } from './media-types.ts';
import { encodeMultipart, type Part } from './multipart.ts';
import type { OperationBody, OperationMember } from './operation.ts';
import { encode, encoderOf, type Pair, writePairs } from './styles.ts';

export interface EncodedBody {
  contentType: string;
  content: string | Bytes;
}

/** Returns null when the request has no body. */
export async function encodeBody(
  body: OperationBody,
  args: Record<string, unknown>,
  files: ToolFiles,
): Promise<EncodedBody | null> {
  const value = valueOf(body, args);
  if (value === undefined) return null;
  const { contentType, encoding } = body;
  switch (encoding) {
    case 'json':
      return {
        contentType: contentType.includes('*') ? 'application/json' : contentType,
        content: writeJson(value),
      };
    case 'form': {
      // A form that is not described may be written by the caller.
      if (typeof value === 'string') return { contentType, content: value };
      const pairs = fieldsOf(body, value).flatMap(({ member, given }) => formPairs(member, given));
      return { contentType, content: pairs.map(([name, text]) => `${name}=${text}`).join('&') };
    }
    case 'multipart': {
      const parts: Part[] = [];
      for (const { member, given } of fieldsOf(body, value))
        parts.push(...(await partsOf(member, given, files)));
      const encoded = await encodeMultipart(parts);
      return {
        contentType: `${essenceOf(contentType)}; boundary=${encoded.boundary}`,
        content: encoded.body,
      };
    }
    case 'text':
      return {
        contentType: contentType.includes('*') ? 'text/plain; charset=utf-8' : contentType,
        content: plainText(value),
      };
    case 'bytes': {
      const { content, mimeType } = await readFile(value, files);
      return {
        contentType: contentType.includes('*') ? (mimeType ?? 'application/octet-stream') : contentType,
        content,
      };
    }
  }
}

/** The value of the whole body. Undefined when no argument of it is given and it may be missing. */
function valueOf({ argument, members, required }: OperationBody, args: Record<string, unknown>): unknown {
  if (argument !== undefined) return Object.hasOwn(args, argument) ? args[argument] : undefined;
  const given = members.flatMap((member) =>
    member.argument !== undefined && Object.hasOwn(args, member.argument)
      ? [[member.name, args[member.argument]] as const]
      : [],
  );
  return given.length === 0 && !required ? undefined : Object.fromEntries(given);
}

interface Field {
  member: OperationMember;
  given: unknown;
}

function fieldsOf({ argument = 'The body', members }: OperationBody, value: unknown): Field[] {
  if (!isObject(value)) throw new Error(`${argument} has to be an object, because the service takes a form`);
  return Object.entries(value).map(([name, given]) => ({
    member: members.find((member) => member.name === name) ?? { name },
    given,
  }));
}

function formPairs(member: OperationMember, given: unknown): Pair[] {
  const { allowReserved, contentType, explode, name, style } = member;
  if (style !== undefined || explode !== undefined) {
    const way = {
      style: style ?? 'form',
      explode: explode ?? (style ?? 'form') === 'form',
      ...(allowReserved === true ? { allowReserved } : {}),
    } as const;
    return writePairs(name, given, way);
  }
  const write = encoderOf(member);
  return textsOf(given, contentType).map((text) => [encode(name), write(text)]);
}

/** One text for each item of a list, unless the whole list is JSON. */
function textsOf(given: unknown, contentType: string | undefined): string[] {
  if (contentType !== undefined && isJsonType(contentType))
    return given === undefined ? [] : [writeJson(given)];
  const values: readonly unknown[] = Array.isArray(given) ? given : [given];
  return values.filter((value) => value !== undefined && value !== null).map(plainText);
}

const plainText = (value: unknown): string => (typeof value === 'string' ? value : writeJson(value));

async function partsOf(member: OperationMember, given: unknown, files: ToolFiles): Promise<Part[]> {
  const { contentType, explode, isFile, name, style } = member;
  if (isFile === true) {
    const parts: Part[] = [];
    for (const one of Array.isArray(given) ? given : [given])
      if (one !== undefined && one !== null) parts.push(await filePart(member, one, files));
    return parts;
  }
  if (style !== undefined || explode !== undefined) {
    const same = (text: string) => text;
    const way = { style: style ?? 'form', explode: explode ?? (style ?? 'form') === 'form' } as const;
    return writePairs(name, given, way, same, same).map(([key, content]) =>
      partOf(key, content, contentType),
    );
  }
  const isStructured = (value: unknown) => typeof value === 'object' && value !== null;
  if (contentType !== undefined || !Array.isArray(given))
    return textsOf(given, contentType).map((content) =>
      partOf(name, content, contentType ?? (isStructured(given) ? 'application/json' : undefined)),
    );
  return given.flatMap((item: unknown) =>
    textsOf(isStructured(item) ? writeJson(item) : item, undefined).map((content) =>
      partOf(name, content, isStructured(item) ? 'application/json' : undefined),
    ),
  );
}

const partOf = (name: string, content: string, contentType: string | undefined): Part => ({
  name,
  content,
  ...(contentType === undefined ? {} : { contentType }),
});

async function filePart(
  { contentType, name }: OperationMember,
  given: unknown,
  files: ToolFiles,
): Promise<Part> {
  const { content, fileName, mimeType } = await readFile(given, files);
  return {
    name,
    content,
    fileName: fileName ?? name,
    contentType: contentType ?? mimeType ?? 'application/octet-stream',
  };
}

/** A kept file, or the text that the caller wrote instead of one. */
async function readFile(
  given: unknown,
  files: ToolFiles,
): Promise<{ content: string | Bytes; fileName?: string; mimeType?: string }> {
  if (!isFileReference(given)) return { content: plainText(given) };
  const { bytes, mimeType, name } = await files.read(given);
  return {
    content: bytes,
    ...(name === '' ? {} : { fileName: name }),
    ...(mimeType === '' ? {} : { mimeType }),
  };
}
