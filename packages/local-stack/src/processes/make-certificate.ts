import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';

/** A certificate with its key. */
export interface IssuedCertificate {
  readonly key: string;
  readonly certificate: string;
  readonly certificateFile: string;
  readonly keyFile: string;
}

/** A certificate for some hosts, and the authority that signed it. */
export interface ServerCertificate extends IssuedCertificate {
  /** Path of the authority's certificate, for NODE_EXTRA_CA_CERTS. */
  readonly authorityFile: string;
}

/** An authority that signs certificates. */
export interface CertificateAuthority {
  readonly certificate: string;
  /** Path of its certificate. */
  readonly file: string;
  /**
   * Makes a certificate for the given names and addresses.
   * @param name of its files
   * @param days for which it is valid; -1: it ended yesterday
   */
  readonly issue: (name: string, hosts: readonly string[], days?: number) => IssuedCertificate;
}

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

const openssl = (...args: readonly string[]): void => {
  execFileSync('openssl', args, { stdio: 'pipe' });
};

/**
 * Makes an authority, valid for a day, in a folder of the caller's.
 * @throws Error that names the command `openssl` if it is missing.
 */
export const makeAuthority = (folder: string, name = 'authority'): CertificateAuthority => {
  const at = (file: string): string => join(folder, file);
  const [own, ownKey] = [at(`${name}.pem`), at(`${name}.key`)];
  openssl('req', '-x509', ...KEY, '-keyout', ownKey, '-out', own, '-days', '1', '-subj', `/CN=Test ${name}`);
  return {
    certificate: readFileSync(own, 'utf8'),
    file: own,
    issue: (issued, hosts, days = 1) => {
      const [request, names] = [at(`${issued}.csr`), at(`${issued}.cnf`)];
      const [certificateFile, keyFile] = [at(`${issued}.pem`), at(`${issued}.key`)];
      writeFileSync(
        names,
        `subjectAltName=${hosts.map((host) => `${isIP(host) > 0 ? 'IP' : 'DNS'}:${host}`).join(',')}\n`,
      );
      openssl('req', ...KEY, '-keyout', keyFile, '-out', request, '-subj', `/CN=Test ${issued}`);
      const signing = ['-CA', own, '-CAkey', ownKey, '-CAcreateserial', '-days', String(days), '-extfile', names];
      openssl('x509', '-req', '-in', request, ...signing, '-out', certificateFile);
      return {
        key: readFileSync(keyFile, 'utf8'),
        certificate: readFileSync(certificateFile, 'utf8'),
        certificateFile,
        keyFile,
      };
    },
  };
};

/**
 * Makes an authority and a certificate of it for the given hosts, valid for a day, in a given folder.
 * @throws Error that names the command `openssl` if it is missing.
 */
export const makeCertificate = (folder: string, hosts: readonly string[]): ServerCertificate => {
  const authority = makeAuthority(folder);
  return { ...authority.issue('server', hosts), authorityFile: authority.file };
};
