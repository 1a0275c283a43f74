export type { AccessRule, Authentication } from './access';
export { bindService, type BoundService } from './bind-service';
export { createCaller, type Caller, type CallerOptions } from './client';
export { fromRpcStatus, toRpcStatus } from './error-status';
export type { Health } from './health';
export { resolveTarget } from './resolve-target';
export { startGrpcServer, type GrpcServer, type GrpcServerOptions } from './server';
export { withWaitingPort } from './waiting-port';
export type { CallContext, CallOptions, Calls, Handler, Handlers, ServiceDefinition } from './types';
