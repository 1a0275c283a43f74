import type { JsonObject } from '@weft/node-catalogue';
import { textField } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';
import type { ClientCertificate } from '@weft/outbound';

/**
 * Reads a credential of type httpSslAuth: `cert` and `key`, and optionally `passphrase` and `ca`.
 * @throws NodeFailure for a certificate without its key or a key without its certificate
 */
export function clientCertificateOf(data: JsonObject): ClientCertificate {
  const [cert, key, ca, passphrase] = [
    pem(data, 'cert'),
    pem(data, 'key'),
    pem(data, 'ca'),
    textField(data, 'passphrase') ?? '',
  ];
  if ((cert === '') !== (key === ''))
    throw new NodeFailure('The credential of type httpSslAuth has only one of "cert" and "key". Set both.');
  return {
    ...(cert === '' ? {} : { cert, key }),
    ...(ca === '' ? {} : { ca }),
    ...(passphrase === '' ? {} : { passphrase }),
  };
}

/** Restores line breaks that were lost in JSON or a form. */
function pem(data: JsonObject, name: string): string {
  const text = (textField(data, name) ?? '').replaceAll('\\n', '\n').trim();
  const [, begin = '', content = '', end = ''] =
    /^(-----BEGIN [A-Z0-9 ]+-----)([A-Za-z0-9+/= ]+)(-----END [A-Z0-9 ]+-----)$/.exec(text) ?? [];
  return begin === '' ? text : `${begin}\n${content.trim().replaceAll(/ +/g, '\n')}\n${end}`;
}
