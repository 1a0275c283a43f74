#!/usr/bin/env node
// Prints a new user key (nkey) for NATS: its seed, which NATS_NKEY_FILE holds, and its public key, which servers know.
//   node deploy/make-nats-key.mjs
import { makeNatsKey } from './make-keys.mjs';

process.stdout.write(`${JSON.stringify(makeNatsKey(), null, 2)}\n`);
