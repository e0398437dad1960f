// Wraps the data key by a symmetric key of AWS KMS. decision: 072
import { AwsV4Signer } from 'aws4fetch';
import { DriverFailure } from '../../src/ports/driver-failure.ts';
import type { KeyService } from '../../src/ports/key-service.ts';
import { Unavailable } from '../../src/ports/unavailable.ts';
import { type Ask, cannotReach, readAnswer, readText } from './asking.ts';

export interface AwsKmsOptions {
  /** An id, an ARN or the name of an alias. */
  keyId: string;
  /** Must be given where the key is not an ARN. */
  region?: string | undefined;
  /** Another address than that of the region, for example of a VPC endpoint. */
  endpoint?: string | undefined;
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string | undefined;
  fetch: Ask;
}

/** These refusals end by themselves, though their status says otherwise. */
const PASSING = /Throttling|LimitExceeded|KeyUnavailable|DependencyTimeout|KMSInternal|RequestExpired/;

export function createAwsKmsKeys({ keyId, endpoint, fetch, ...options }: AwsKmsOptions): KeyService {
  const region = /^arn:[^:]+:kms:([^:]+):/.exec(keyId)?.[1] ?? options.region ?? '';
  const { accessKeyId, secretAccessKey, sessionToken } = options;
  const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const url = `${endpoint ?? `https://kms.${region}.${suffix}`}/`;

  async function ask(operation: string, parameters: object): Promise<unknown> {
    const body = JSON.stringify(parameters);
    const signed = await new AwsV4Signer({
      method: 'POST',
      url,
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': `TrentService.${operation}`,
      },
      body,
      service: 'kms',
      region,
      accessKeyId,
      secretAccessKey,
      ...(sessionToken === undefined ? {} : { sessionToken }),
    }).sign();
    const headers = Object.fromEntries(signed.headers);
    const response = await fetch(url, { method: 'POST', headers, body }).catch(cannotReach('awskms', url));
    const answer = await readAnswer(response);
    if (response.ok) return answer;
    const type = readText(answer, '__type').replace(/^.*#/, '');
    const said = (readText(answer, 'message') || readText(answer, 'Message')).slice(0, 300);
    const reason = `[awskms] ${operation}: ${response.status} ${type} ${said}`.trim();
    if (response.status >= 500 || response.status === 429 || PASSING.test(type))
      throw new Unavailable(reason);
    throw new DriverFailure(
      `${reason}. The gateway needs kms:GenerateDataKey, kms:Decrypt, kms:ReEncryptFrom and kms:ReEncryptTo on this key.`,
    );
  }

  return {
    async create() {
      const answer = await ask('GenerateDataKey', { KeyId: keyId, KeySpec: 'AES_256' });
      return { key: bytesOf(answer, 'Plaintext'), wrapped: textOf(answer, 'CiphertextBlob') };
    },
    unwrap: async (wrapped) =>
      bytesOf(await ask('Decrypt', { KeyId: keyId, CiphertextBlob: wrapped }), 'Plaintext'),
    async rewrap(wrapped) {
      const parameters = { CiphertextBlob: wrapped, SourceKeyId: keyId, DestinationKeyId: keyId };
      return textOf(await ask('ReEncrypt', parameters), 'CiphertextBlob');
    },
  };
}

const bytesOf = (answer: unknown, name: string): Uint8Array => Buffer.from(textOf(answer, name), 'base64');

function textOf(answer: unknown, name: string): string {
  const text = readText(answer, name);
  if (text !== '') return text;
  throw new DriverFailure(
    `[awskms] the answer has no ${name}: AWS_ENDPOINT_URL_KMS is not an address of KMS`,
  );
}
