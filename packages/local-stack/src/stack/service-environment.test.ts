import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSecrets } from './secrets';
import { serviceEnvironment } from './service-environment';
import type { StackFacts } from './service-environment';
import { SERVICES, forEachService } from './services';

describe('serviceEnvironment', () => {
  const data = mkdtempSync(join(tmpdir(), 'weft-environment-'));
  const secrets = loadSecrets(data, {});
  rmSync(data, { recursive: true });
  const facts: StackFacts = {
    secrets,
    mongodbUri: 'mongodb://m',
    natsUrl: 'nats://n',
    namespace: 'weft',
    targets: forEachService((service) => `ipv4:${service}`),
    environment: {
      PATH: '/bin',
      HOME: '/home',
      NODE_OPTIONS: '-x',
      SHELL: '/bin/sh',
      AWS_SECRET_ACCESS_KEY: 's',
      RUNNER_SLOTS: '3',
      PORT: '9',
      SERVICE_KEY: 'of the user',
    },
  };

  it("gives each service what it needs and no other service's secret", () => {
    expect(serviceEnvironment('runner', 7004, facts)).toEqual({
      PATH: '/bin',
      HOME: '/home',
      NODE_OPTIONS: '-x',
      RUNNER_SLOTS: '3',
      HOST: '127.0.0.1',
      PORT: '7004',
      METRICS_PORT: '0',
      GRPC_TLS_CERT: '',
      GRPC_TLS_KEY: '',
      GRPC_TLS_CA: '',
      SERVICE_KEY: secrets.serviceKeys.runner.privateKey,
      SERVICE_PUBLIC_KEYS: SERVICES.map((name) => `${name}=${secrets.serviceKeys[name].publicKey}`).join(','),
      PUBLIC_URL: 'http://gateway',
      NATS_URL: 'nats://n',
      EXECUTIONS_TARGET: 'ipv4:executions',
      CREDENTIALS_TARGET: 'ipv4:credentials',
      WORKFLOWS_TARGET: 'ipv4:workflows',
    });
  });

  it('gives only the runner the variables that expressions may read', () => {
    const environment = { EXPRESSION_ENV_ALLOW: 'REGION, SHELL', REGION: 'north', OTHER: 'x' };
    expect(serviceEnvironment('runner', 1, { ...facts, environment })).toMatchObject({ REGION: 'north' });
    expect(serviceEnvironment('runner', 1, { ...facts, environment })).not.toHaveProperty('OTHER');
    expect(serviceEnvironment('gateway', 1, { ...facts, environment })).not.toHaveProperty('REGION');
  });

  it('gives the runner the address of the gateway for clients: as the user says, or its first replica', () => {
    const targets = { ...facts.targets, gateway: 'ipv4:127.0.0.1:8080,127.0.0.1:8081' };
    expect(serviceEnvironment('runner', 1, { ...facts, targets })).toMatchObject({
      PUBLIC_URL: 'http://127.0.0.1:8080',
    });
    expect(
      serviceEnvironment('runner', 1, { ...facts, targets, environment: { PUBLIC_URL: 'https://weft.example' } }),
    ).toMatchObject({ PUBLIC_URL: 'https://weft.example' });
  });

  it('gives the master key and the owner only to credentials', () => {
    const knowing = SERVICES.filter((service) =>
      JSON.stringify(serviceEnvironment(service, 1, facts)).match(/MASTER_KEY|WEFT_OWNER/),
    );
    expect(knowing).toEqual(['credentials']);
  });

  it('gives each service with a store a separate database', () => {
    expect(SERVICES.map((service) => serviceEnvironment(service, 1, facts)['MONGODB_DATABASE'])).toEqual([
      'weft_credentials',
      'weft_workflows',
      'weft_executions',
      undefined,
      undefined,
    ]);
  });

  it('separates stacks on the same servers by their namespace', () => {
    const other = serviceEnvironment('executions', 1, { ...facts, namespace: 'other' });
    expect(other).toMatchObject({ MONGODB_DATABASE: 'other_executions', NATS_STREAM: 'other_executions' });
    expect(serviceEnvironment('executions', 1, facts)).not.toHaveProperty('NATS_STREAM');
  });
});
