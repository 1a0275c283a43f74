#!/usr/bin/env node
// Prints a new user key (nkey) for NATS: the seed for NATS_NKEY_FILE, and the public key for the servers.
//   node deploy/make-nats-key.mjs
import { makeNatsKey } from './make-keys.mjs';

process.stdout.write(`${JSON.stringify(makeNatsKey(), null, 2)}\n`);
