export type * from './chat-model';
export { type ChatModelDeps, createChatModel } from './client/create-chat-model';
export type { ModelEndpoint } from './client/model-endpoint';
export { enforcesSchema } from './formats/enforces-schema';
export { type Vendor, VENDORS } from './formats/openai-chat/vendors';
export { ModelError, type ModelErrorCode } from './model-error';
export type { ModelNode } from './kinds/model-node';
export { MODEL_KINDS, modelOfNode, type NodeModel } from './kinds/model-of-node';
