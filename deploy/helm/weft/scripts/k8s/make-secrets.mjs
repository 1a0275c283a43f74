#!/usr/bin/env node
// Prints fresh secrets for a cluster as Kubernetes manifests, to be piped into kubectl or sealed by another tool.
//   node deploy/k8s/make-secrets.mjs --mongodb mongodb://weft-mongodb:27017 [--owner me@example.org] |
//     kubectl create -n weft -f -
// With --nats-nkey also those for the component nats-security: the services' key, and the users that NATS accepts.
// `create` refuses existing secrets. The master key is immutable, since data sealed with it cannot be read without it.
import { makeMasterKey, makeNatsKey, makePassword, makeServiceKeys } from '../make-keys.mjs';

const WITH_STORE = ['workflows', 'executions', 'credentials'];

const option = (name) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : process.argv[at + 1];
};
const mongodb = option('mongodb');
if (mongodb === undefined) {
  process.stderr.write('Set the address of MongoDB: --mongodb mongodb://host:27017\n');
  process.exit(2);
}

const secret = (name, stringData, isImmutable = false) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name },
  type: 'Opaque',
  ...(isImmutable ? { immutable: true } : {}),
  stringData,
});
const { privateKeys, publicKeys } = makeServiceKeys();
const natsSecrets = () => {
  const { public: publicKey, seed } = makeNatsKey();
  return [
    secret('weft-nats', { 'user.nk': seed }),
    secret('weft-nats-users', { 'users.conf': `users: [{ nkey: "${publicKey}" }]\n` }),
  ];
};

const secrets = [
  secret('weft-mongodb', Object.fromEntries(WITH_STORE.map((service) => [service, mongodb]))),
  secret('weft-service-keys', { ...privateKeys, public: publicKeys }),
  secret('weft-master-key', { current: makeMasterKey() }, true),
  secret('weft-owner', { email: option('owner') ?? 'owner@weft.local', password: makePassword() }),
  ...(process.argv.includes('--nats-nkey') ? natsSecrets() : []),
];
process.stdout.write(`${JSON.stringify({ apiVersion: 'v1', kind: 'List', items: secrets }, null, 2)}\n`);
