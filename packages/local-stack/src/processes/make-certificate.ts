import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A certificate for some hosts, and the authority that signed it. */
export interface ServerCertificate {
  readonly key: string;
  readonly certificate: string;
  /** Path of the authority's certificate, as NODE_EXTRA_CA_CERTS wants it. */
  readonly authorityFile: string;
  readonly certificateFile: string;
  readonly keyFile: string;
}

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/**
 * Makes an authority and a certificate of it for the given hosts, valid for a day, in a folder of the caller's.
 * @throws Error that names the command `openssl` if it is missing.
 */
export const makeCertificate = (folder: string, hosts: readonly string[]): ServerCertificate => {
  const at = (name: string): string => join(folder, name);
  writeFileSync(at('hosts.cnf'), `subjectAltName=${hosts.map((host) => `DNS:${host}`).join(',')}\n`);
  openssl(
    'req',
    '-x509',
    ...KEY,
    '-keyout',
    at('authority.key'),
    '-out',
    at('authority.pem'),
    '-days',
    '1',
    '-subj',
    '/CN=Test authority',
  );
  openssl('req', ...KEY, '-keyout', at('server.key'), '-out', at('server.csr'), '-subj', '/CN=Test server');
  openssl(
    'x509',
    '-req',
    '-in',
    at('server.csr'),
    '-CA',
    at('authority.pem'),
    '-CAkey',
    at('authority.key'),
    '-CAcreateserial',
    '-days',
    '1',
    '-extfile',
    at('hosts.cnf'),
    '-out',
    at('server.pem'),
  );
  return {
    key: readFileSync(at('server.key'), 'utf8'),
    certificate: readFileSync(at('server.pem'), 'utf8'),
    authorityFile: at('authority.pem'),
    certificateFile: at('server.pem'),
    keyFile: at('server.key'),
  };
};

const openssl = (...args: readonly string[]): void => {
  execFileSync('openssl', args, { stdio: 'pipe' });
};
