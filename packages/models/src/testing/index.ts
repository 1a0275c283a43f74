export { endpointOf, FORMATS, TEST_KEY } from './endpoints';
export type { Delivery, HostileBody, ScriptedAnswer, ScriptedCall, ScriptedError, ScriptStep } from './script';
export { type ModelRequest, type ModelServer, serveModels } from './serve-models';
