import { messageOf, type NodeContext, NodeFailure, type NodePorts } from '@weft/engine';
import type { Json, JsonObject } from '@weft/node-catalogue';
import { NO_CREDENTIAL } from '../shared/http/authentication/apply-credential';
import { decodeText } from '../shared/http/response/decode-text';
import { contentTypeOf } from '../shared/http/response/read-response';
import { checkedUrl } from '../http-request/read-settings';
import { statusFailure } from '../shared/http/request-failed';
import { isSuccess, sendRequest } from '../shared/http/request/send-request';
import { type FormatContext, runFormatTask } from '../shared/file-formats/run-format-task';

const TIMEOUT_MS = 60_000;
/** Feeds are parsed, so their limit is lower than that of other responses. */
const MAX_FEED_BYTES = 4 * 1024 * 1024;
const ACCEPT =
  'application/rss+xml, application/atom+xml, application/rdf+xml;q=0.9, application/xml;q=0.8, ' +
  'text/xml;q=0.8, */*;q=0.5';

/** A feed to read. */
export interface Feed {
  /** As set in the node. */
  readonly url: Json | undefined;
  readonly allowUnauthorizedCerts: boolean;
  /** Additional elements of each entry. */
  readonly customFields: readonly string[];
}

/** The part of a node run that one feed needs. */
export interface FetchContext extends FormatContext, Pick<NodeContext, 'signal'> {
  readonly ports: FormatContext['ports'] & Pick<NodePorts, 'http'>;
}

/** Fetches the entries of one feed, in its order. @throws NodeFailure if it cannot be fetched or read */
export async function fetchFeed(
  context: FetchContext,
  { url, allowUnauthorizedCerts, customFields }: Feed,
  itemIndex: number,
): Promise<readonly JsonObject[]> {
  const response = await sendRequest(
    context.ports.http,
    {
      method: 'GET',
      url: checkedUrl(url),
      query: [],
      listStyle: 'repeat',
      headers: [['accept', ACCEPT]],
      timeoutMs: TIMEOUT_MS,
      followRedirects: true,
      maxRedirects: 5,
      allowUnauthorizedCerts,
    },
    {
      credential: NO_CREDENTIAL,
      format: 'text',
      item: undefined,
      files: undefined,
      signal: context.signal,
      maxResponseBytes: MAX_FEED_BYTES,
    },
    itemIndex,
  );
  if (!isSuccess(response)) throw statusFailure(response, itemIndex, (text) => text);
  const text = decodeText(response.body, contentTypeOf(response) || 'application/xml');
  try {
    return await runFormatTask(context, 'readFeed', { text, customFields });
  } catch (cause) {
    throw new NodeFailure(`The feed cannot be read: ${messageOf(cause).slice(0, 300)}`, { itemIndex, cause });
  }
}
