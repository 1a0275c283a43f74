import { createHash } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';
import { type Json, type JsonObject, isJsonObject } from '@weft/node-catalogue';
import { type NodeContext, NodeFailure } from '@weft/engine';
import { OutboundError, type OutboundResponse } from '@weft/outbound';
import { runTexts } from '../file-formats/run-texts';
import { addressOf, type S3Place, type S3Server } from './address';

/** Timeout of one request, including its body. */
const TIMEOUT_MS = 300_000;
/** Maximum number of entries of one list. */
const MAX_ENTRIES = 100_000;
/** Maximum length of a server's message in an error. */
const MAX_MESSAGE = 1_000;

/** Account on an S3 server. */
export interface S3Account extends S3Server {
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly allowUnauthorizedCerts: boolean;
}

export interface S3Request extends S3Place {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** The account's region by default. */
  readonly region?: string;
}

const XML_OPTIONS = {
  ...{ attrkey: '$', charkey: '_', explicitRoot: true, explicitArray: false, mergeAttrs: false },
  ...{ ignoreAttrs: false, normalize: false, trim: false, lowersNames: false },
} as const;

/** MD5 of a body in Base64, as S3 requires it. */
export const contentMd5 = (body: Uint8Array): string => createHash('md5').update(body).digest('base64');

/**
 * Headers of a signed request (AWS Signature Version 4), without `host`.
 * @param at `YYYYMMDDTHHMMSSZ`, now by default
 */
export const signedHeaders = async (
  account: Pick<S3Account, 'accessKeyId' | 'secretAccessKey' | 'sessionToken'>,
  url: URL,
  { method, headers, body, region }: Pick<S3Request, 'method' | 'headers' | 'body'> & { readonly region: string },
  at?: string,
): Promise<[string, string][]> => {
  const { sessionToken } = account;
  const signer = new AwsV4Signer({
    method,
    url: url.href,
    headers: {
      ...headers,
      'x-amz-content-sha256': createHash('sha256')
        .update(body ?? '')
        .digest('hex'),
    },
    accessKeyId: account.accessKeyId,
    secretAccessKey: account.secretAccessKey,
    service: 's3',
    region,
    ...(sessionToken === undefined ? {} : { sessionToken }),
    ...(at === undefined ? {} : { datetime: at }),
  });
  return [...(await signer.sign()).headers];
};

/** Client of an S3 server for one node run. Uses the guarded HTTP client. */
export class S3Client {
  readonly #regions = new Map<string, string>();

  constructor(
    private readonly context: NodeContext,
    private readonly account: S3Account,
  ) {}

  get region(): string {
    return this.account.region;
  }

  /** Sends a request. @throws NodeFailure unless it succeeds */
  async send(request: S3Request, itemIndex: number): Promise<OutboundResponse> {
    const region = request.region ?? this.account.region;
    const url = addressOf(this.account, request, request.query ?? {}, itemIndex);
    const response = await this.#exchange(url, { ...request, region }, itemIndex);
    if (response.status >= 200 && response.status < 300) return response;
    throw await this.#failure(response, itemIndex);
  }

  /** Sends a request for a bucket or a file in it, in the region of the bucket. */
  async sendToBucket(request: S3Request & { readonly bucket: string }, itemIndex: number): Promise<OutboundResponse> {
    return this.send({ ...request, region: await this.#regionOf(request.bucket, itemIndex) }, itemIndex);
  }

  /** The XML of a response as JSON. @throws NodeFailure if the response is not XML */
  async read({ body }: OutboundResponse, itemIndex: number): Promise<JsonObject> {
    if (body.length === 0) return {};
    const text = Buffer.from(body).toString();
    const [outcome] = await runTexts(this.context, [{ kind: 'readXml', input: { ...XML_OPTIONS, text } }], true);
    if (outcome !== undefined && 'value' in outcome && isJsonObject(outcome.value)) return outcome.value;
    throw new NodeFailure('The server did not respond as an S3 server: the response is not XML', { itemIndex });
  }

  /**
   * The entries of a list, page by page.
   * @param property path of the entries in a response, such as `ListBucketResult.Contents`
   * @param enough stops at this number of entries
   */
  async list(request: S3Request, property: string, enough: number, itemIndex: number): Promise<Json[]> {
    const [root = '', ...rest] = property.split('.');
    const entries: Json[] = [];
    let token: string | undefined;
    for (;;) {
      const query = { ...request.query, ...(token === undefined ? {} : { 'continuation-token': token }) };
      const response =
        request.bucket === undefined
          ? await this.send({ ...request, query }, itemIndex)
          : await this.sendToBucket({ ...request, query, bucket: request.bucket }, itemIndex);
      const page = (await this.read(response, itemIndex))[root];
      entries.push(...listAt(page, rest));
      const next = textAt(page, 'NextContinuationToken');
      const isLast = textAt(page, 'IsTruncated') !== 'true' || next === undefined || next === token;
      if (isLast || entries.length >= enough) return entries;
      if (entries.length >= MAX_ENTRIES)
        throw new NodeFailure(`The list has more than ${MAX_ENTRIES} entries: set a prefix or a limit`, {
          itemIndex,
        });
      token = next;
      await this.context.pause();
    }
  }

  async #regionOf(bucket: string, itemIndex: number): Promise<string> {
    const known = this.#regions.get(bucket);
    if (known !== undefined) return known;
    const response = await this.send({ method: 'GET', bucket, query: { location: '' } }, itemIndex);
    const given = (await this.read(response, itemIndex))['LocationConstraint'];
    const found = typeof given === 'string' ? given : textAt(given, '_');
    const region = found === undefined || found === '' ? this.account.region : found;
    this.#regions.set(bucket, region);
    return region;
  }

  async #exchange(
    url: URL,
    request: S3Request & { readonly region: string },
    itemIndex: number,
  ): Promise<OutboundResponse> {
    try {
      return await this.context.ports.http.request({
        method: request.method,
        url: url.href,
        headers: await signedHeaders(this.account, url, request),
        ...(request.body === undefined ? {} : { body: request.body }),
        timeoutMs: TIMEOUT_MS,
        followRedirects: false,
        allowUnauthorizedCerts: this.account.allowUnauthorizedCerts,
        secretHeaders: ['x-amz-security-token'],
        signal: this.context.signal,
      });
    } catch (thrown) {
      if (!(thrown instanceof OutboundError)) throw thrown;
      throw new NodeFailure(thrown.message, { itemIndex, cause: thrown });
    }
  }

  /** Code and message of a failed request, if the server responds as an S3 server. */
  async #failure(response: OutboundResponse, itemIndex: number): Promise<NodeFailure> {
    const { status } = response;
    const answer = await this.read(response, itemIndex).catch((): JsonObject => ({}));
    const code = textAt(answer['Error'], 'Code');
    const words = textAt(answer['Error'], 'Message');
    const told = [code, words].filter((part) => part !== undefined && part !== '').join(': ');
    const isElsewhere = status === 301 || status === 307;
    return new NodeFailure(`The S3 server answered ${status}${told === '' ? '' : ` ${told.slice(0, MAX_MESSAGE)}`}`, {
      itemIndex,
      ...(isElsewhere ? { description: 'The bucket is in another region or at another endpoint.' } : {}),
    });
  }
}

function textAt(value: Json | undefined, name: string): string | undefined {
  const found = value !== undefined && isJsonObject(value) ? value[name] : undefined;
  return typeof found === 'string' ? found : undefined;
}

function listAt(value: Json | undefined, path: readonly string[]): Json[] {
  const [name, ...rest] = path;
  if (name === undefined) return value === undefined ? [] : Array.isArray(value) ? value : [value];
  return value !== undefined && isJsonObject(value) ? listAt(value[name], rest) : [];
}
