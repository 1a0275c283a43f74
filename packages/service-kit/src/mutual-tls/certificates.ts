import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { Environment } from '../config';
import { fileVariableOf } from '../config/secret-files';
import { messageOf } from '../errors';

/** Certificate, key and authorities of a process, as PEM strings. All empty: connections are plain text. */
export interface TlsSettings {
  /** Certificate of this process, followed by the intermediate ones. */
  readonly grpcTlsCert: string;
  readonly grpcTlsKey: string;
  /** Certificates of the authorities whose peers are accepted. */
  readonly grpcTlsCa: string;
}

const VARIABLES: Readonly<Record<keyof TlsSettings, string>> = {
  grpcTlsCert: 'GRPC_TLS_CERT',
  grpcTlsKey: 'GRPC_TLS_KEY',
  grpcTlsCa: 'GRPC_TLS_CA',
};

const DASHES = '-----';

/** The certificates in a PEM string, each with its first and last line. */
const certificatesIn = (pem: string): string[] =>
  pem
    .split(DASHES)
    .flatMap((part, at, parts) =>
      part === 'BEGIN CERTIFICATE' && parts[at + 2] === 'END CERTIFICATE' && at + 3 < parts.length
        ? [['', ...parts.slice(at, at + 3), ''].join(DASHES)]
        : [],
    );

/** The certificates of a PEM string, in order. @throws Error if there is none, or one cannot be read */
export const readCertificates = (pem: string): readonly [X509Certificate, ...X509Certificate[]] => {
  const [first, ...others] = certificatesIn(pem).map((text) => new X509Certificate(text));
  if (first === undefined) throw new Error('there is no certificate (PEM) in it');
  return [first, ...others];
};

const checkOwn = ({ grpcTlsCert, grpcTlsKey }: TlsSettings): string | undefined => {
  const [own] = readCertificates(grpcTlsCert);
  if (!own.checkPrivateKey(createPrivateKey(grpcTlsKey))) return 'the certificate is for another key';
  // Every peer would refuse it.
  return own.validToDate.getTime() < Date.now() ? `the certificate ended on ${own.validTo}` : undefined;
};

/** The sentence about a check that failed or threw, without any of the checked values. */
const faultOf = (variables: string, check: () => string | undefined): readonly string[] => {
  try {
    const fault = check();
    return fault === undefined ? [] : [`${variables}: ${fault}.`];
  } catch (error) {
    return [`${variables}: ${messageOf(error)}.`];
  }
};

/**
 * Errors in the combination of values, for `defineConfig`. If one of the variables is set, all three must have a value:
 * a process whose files are missing must not fall back to plain text.
 */
export const tlsErrors = (settings: TlsSettings, _former: unknown, environment: Environment): readonly string[] => {
  const isNamed = (variable: string): boolean =>
    [variable, fileVariableOf(variable)].some((name) => (environment[name] ?? '') !== '');
  if (!Object.values(VARIABLES).some(isNamed)) return [];
  const missing = (['grpcTlsCert', 'grpcTlsKey', 'grpcTlsCa'] as const)
    .filter((key) => settings[key] === '')
    .map((key) => VARIABLES[key]);
  if (missing.length > 0)
    return [`${missing.join(' and ')}: nothing is given. ${Object.values(VARIABLES).join(', ')} belong together.`];
  return [
    ...faultOf('GRPC_TLS_CERT and GRPC_TLS_KEY', () => checkOwn(settings)),
    ...faultOf('GRPC_TLS_CA', () => void readCertificates(settings.grpcTlsCa)),
  ];
};
