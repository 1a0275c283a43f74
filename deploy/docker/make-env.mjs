#!/usr/bin/env node
// Writes fresh secrets for compose.yaml to .env in the working directory, readable by its owner alone. It never
// replaces an existing file: stored credentials can only be opened with its master key.
//   node deploy/docker/make-env.mjs [--owner me@example.org]
import { writeFileSync } from 'node:fs';
import { makeMasterKey, makePassword, makeServiceKeys } from '../make-keys.mjs';

const at = process.argv.indexOf('--owner');
const owner = at < 0 ? 'owner@weft.local' : process.argv[at + 1];
const { privateKeys, publicKeys } = makeServiceKeys();
const variables = {
  WEFT_OWNER_EMAIL: owner,
  WEFT_OWNER_PASSWORD: makePassword(),
  MASTER_KEY: makeMasterKey(),
  SERVICE_PUBLIC_KEYS: publicKeys,
  ...Object.fromEntries(
    Object.entries(privateKeys).map(([service, key]) => [`${service.toUpperCase()}_SERVICE_KEY`, key]),
  ),
};

try {
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync('.env', lines.join(''), { flag: 'wx', mode: 0o600 });
} catch (error) {
  if (error.code !== 'EEXIST') throw error;
  process.stderr.write('.env already exists and was not changed. Keep its master key: it opens stored credentials.\n');
  process.exit(1);
}
process.stdout.write(`Wrote .env. The owner is ${owner}; WEFT_OWNER_PASSWORD in .env is the password.\n`);
