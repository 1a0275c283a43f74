export { lettersOf } from './answer-embeddings';
export { endpointOf, FORMATS, TEST_KEY } from './endpoints';
export type {
  Delivery,
  HostileBody,
  RawResponse,
  ScriptedAnswer,
  ScriptedCall,
  ScriptedError,
  ScriptStep,
} from './script';
export { type ModelRequest, type ModelServer, serveModels } from './serve-models';
