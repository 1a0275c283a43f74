import type { JsonObject } from '@weft/node-catalogue';
import { field, textField } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';

/** Keys of a credential, without whitespace from copying. @throws NodeFailure if one is missing */
export const keysOf = (
  credential: JsonObject,
): { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken?: string } => {
  const accessKeyId = (textField(credential, 'accessKeyId') ?? '').trim();
  const secretAccessKey = (textField(credential, 'secretAccessKey') ?? '').trim();
  if (accessKeyId === '' || secretAccessKey === '')
    throw new NodeFailure('The credential needs an access key ID and a secret access key');
  const token = (textField(credential, 'sessionToken') ?? '').trim();
  const isTemporary = field(credential, 'temporaryCredentials') === true && token !== '';
  return { accessKeyId, secretAccessKey, ...(isTemporary ? { sessionToken: token } : {}) };
};

/** @throws NodeFailure unless the endpoint is an HTTP URL without a query */
export const endpointOf = (text: string): URL => {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  const isPlain =
    url !== undefined && url.search === '' && url.hash === '' && url.username === '' && url.password === '';
  if (!isPlain || !/^https?:$/.test(url.protocol))
    throw new NodeFailure('The endpoint of the credential must be a URL such as "https://s3.example.com"');
  return url;
};
