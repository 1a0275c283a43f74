import { VariableServiceService } from '@weft/proto/variables';
import type { Caller } from '@weft/service-kit/grpc';
import { createCaller } from '@weft/service-kit/grpc';
import type { Peer } from './peer';

/** What the gateway asks of the workflows service about variables. */
export type VariablesClient = Caller<typeof VariableServiceService>;

/** Connects to the workflows service. */
export const createVariablesClient = (peer: Peer): VariablesClient =>
  createCaller(VariableServiceService, { service: 'workflows', ...peer, retried: ['listVariables'] });
