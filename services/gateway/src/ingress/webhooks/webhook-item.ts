import type { IncomingMessage } from 'node:http';
import { parse } from 'qs';
import { checkMessageSize } from '../../http/message-size';
import type { ItemFiles } from '../../uploads/read-multipart';

/** The parts of a webhook request that form the run's item. */
export interface WebhookRequest {
  readonly headers: IncomingMessage['headers'];
  readonly params: Readonly<Record<string, string>>;
  /** Without the question mark. */
  readonly query: string;
  /** JSON text. */
  readonly bodyJson: string;
  /** Absent if the address is a secret of the run. */
  readonly webhookUrl?: string;
  /** Absent: `production`. */
  readonly executionMode?: 'production' | 'test';
  /** Set if the node has an output for each of its methods. */
  readonly method?: string;
  /** JSON text of the claims of the caller's token; empty if there is none. */
  readonly claimsJson: string;
  /** References to files by their names. */
  readonly files?: ItemFiles;
}

/**
 * Parses the fields of a query. Brackets in a name create objects and lists, five levels deep; a repeated name is a
 * list. Limits of `qs`: at most 1,000 parameters count, and list positions beyond 20 become fields of an object.
 */
const queryFields = (query: string): object => parse(query, { plainObjects: true });

const address = (webhookUrl: string | undefined, executionMode: string): string =>
  (webhookUrl === undefined ? '' : `,"webhookUrl":${JSON.stringify(webhookUrl)}`) +
  `,"executionMode":"${executionMode}"`;

/**
 * The single item with which the run starts or continues, as a list in JSON text. The body is inserted unchanged,
 * because it was checked when it was read.
 * @throws PayloadTooLarge
 */
export const webhookItems = ({
  headers,
  params,
  query,
  bodyJson,
  webhookUrl,
  executionMode = 'production',
  method,
  claimsJson,
  files = {},
}: WebhookRequest): Buffer => {
  const text =
    `[{"json":{"headers":${JSON.stringify(headers)},"params":${JSON.stringify(params)},` +
    `"query":${query === '' ? '{}' : JSON.stringify(queryFields(query))},` +
    `"body":${bodyJson}${address(webhookUrl, executionMode)}` +
    `${method === undefined ? '' : `,"method":${JSON.stringify(method)}`}` +
    `${claimsJson === '' ? '' : `,"jwtPayload":${claimsJson}`}}` +
    `${Object.keys(files).length === 0 ? '' : `,"binary":${JSON.stringify(files)}`}}]`;
  checkMessageSize(text.length);
  return Buffer.from(text);
};
