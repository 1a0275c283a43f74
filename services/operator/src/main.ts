import { runService } from '@weft/service-kit/lifecycle';
import { config } from './config';
import { createOperator } from './operator';

/** The operator makes no gRPC calls, and serves nothing but its metrics and probes. */
const NO_TLS = { grpcTlsCert: '', grpcTlsKey: '', grpcTlsCa: '' } as const;

void runService(
  'operator',
  { load: (environment, rereading) => ({ ...config.load(environment, rereading), ...NO_TLS }) },
  (settings, logger) => Promise.resolve(createOperator(settings, logger)),
);
