import { CredentialServiceService } from '@weft/proto/credentials';
import { ExecutionServiceService } from '@weft/proto/executions';
import { ProbeServiceService } from '@weft/proto/probes';
import { WorkflowServiceService } from '@weft/proto/workflows';
import { openAttack, type AttackTarget } from '../tenants/attackers';
import { guess, GUESS_NAMES } from './stranger-requests';
import { send, SENDER_NAMES } from './stranger-senders';
import { stream, STREAMER_NAMES } from './stranger-streams';
import type { GrpcPort, Strangers } from './strangers-at-work';

/** Strangers of each kind: more guesses would only wait for each other, and one address can send to all limits. */
const GUESSERS = 8;
const SENDERS = 40;
const STREAMERS = 8;

const times = (count: number, work: (index: number) => Promise<void>): Promise<void>[] =>
  Array.from({ length: count }, (_, index) => work(index));

/** Every process with a gRPC port, with a method that needs a user or another service. */
const grpcPortsOf = ({ grpcTargets }: AttackTarget): GrpcPort[] => {
  const ports = (target: string, { path }: { readonly path: string }): GrpcPort[] =>
    target
      .replace(/^ipv4:/, '')
      .split(',')
      .map((address) => ({ address, method: path }));
  return [
    ...ports(grpcTargets.workflows, WorkflowServiceService.createWorkflow),
    ...ports(grpcTargets.executions, ExecutionServiceService.getExecution),
    ...ports(grpcTargets.credentials, CredentialServiceService.createCredential),
    ...ports(grpcTargets.runner, ProbeServiceService.probeCredential),
  ];
};

const main = async (): Promise<void> => {
  const { target, isOver, count, begun, ended } = openAttack();
  const strangers: Strangers = {
    baseUrls: target.baseUrls,
    ownerEmail: target.ownerEmail,
    grpcPorts: grpcPortsOf(target),
    isOver,
    count,
  };
  begun();
  await Promise.all([
    ...GUESS_NAMES.flatMap((name) => times(GUESSERS, (index) => guess(strangers, index, name))),
    ...SENDER_NAMES.flatMap((name) => times(SENDERS, (index) => send(strangers, index, name))),
    ...STREAMER_NAMES.flatMap((name) => times(STREAMERS, (index) => stream(strangers, index, name))),
  ]);
  ended();
};

void main();
