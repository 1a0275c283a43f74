import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import type { Environment } from '../places';

const SYSTEM_FILES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

/**
 * Variables by which a program written in Go finds certificates on a machine without installed ones, such as a small
 * image: those that Node includes, and those it is configured to add. Empty where the machine has its own.
 */
export function certificateVariables(cache: string, environment: Environment): Record<string, string> {
  if (environment['SSL_CERT_FILE'] || environment['SSL_CERT_DIR'] || SYSTEM_FILES.some((file) => existsSync(file)))
    return {};
  const added = environment['NODE_EXTRA_CA_CERTS'];
  const certificates = [...rootCertificates, ...(added && existsSync(added) ? [readFileSync(added, 'utf8')] : [])];
  const file = join(cache, 'certificates.pem');
  mkdirSync(cache, { recursive: true });
  writeFileSync(file, certificates.join('\n'));
  return { SSL_CERT_FILE: file };
}
