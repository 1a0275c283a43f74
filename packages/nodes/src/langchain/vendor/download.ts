import { type NodeContext, NodeFailure } from '@weft/engine';
import type { ResponseBudget } from '../../shared/http/response/response-budget';
import { requestAddress } from './service';

/** The item and the budget that a request belongs to. */
export interface Place {
  readonly itemIndex: number;
  readonly budget: ResponseBudget;
}

/** A file with its media type. */
export interface TypedBytes {
  readonly body: Uint8Array;
  readonly mimeType: string;
}

/** Downloads a file without the key of the service. @throws NodeFailure */
export async function download(
  context: NodeContext,
  url: string,
  fallbackType: string,
  place: Place,
): Promise<TypedBytes> {
  checkAddress(url, place.itemIndex);
  const { headers, body } = await requestAddress(context, { ...place, method: 'GET', path: url });
  place.budget.giveBack(body.length);
  return { body, mimeType: typeOf(headers['content-type'], fallbackType) };
}

/** The media type of a file, without the file. @throws NodeFailure */
export async function typeOfAddress(context: NodeContext, url: string, place: Place): Promise<string> {
  checkAddress(url, place.itemIndex);
  const { headers } = await requestAddress(context, { ...place, method: 'HEAD', path: url });
  return typeOf(headers['content-type'], 'application/octet-stream');
}

function checkAddress(url: string, itemIndex: number): void {
  if (!/^https?:\/\//i.test(url))
    throw new NodeFailure('The address of a file must begin with http:// or https://', { itemIndex });
}

/** A media type without its parameters. */
export const typeOf = (header: string | readonly string[] | undefined, fallback: string): string =>
  (typeof header === 'string' ? header.split(';')[0]?.trim() : undefined) || fallback;
