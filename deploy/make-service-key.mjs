#!/usr/bin/env node
// Prints a new key pair to replace that of one service: SERVICE_KEY, and an entry of SERVICE_PUBLIC_KEYS.
//   node deploy/make-service-key.mjs gateway
import { makeServiceKeys, SERVICES } from './make-keys.mjs';

const service = process.argv[2];
if (!SERVICES.includes(service)) {
  process.stderr.write(`Name one of the services: ${SERVICES.join(', ')}\n`);
  process.exit(2);
}
const { privateKeys, publicKeys } = makeServiceKeys([service]);
process.stdout.write(`${JSON.stringify({ private: privateKeys[service], public: publicKeys }, null, 2)}\n`);
