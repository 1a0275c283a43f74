export { connect, type CallOptions, type Connection } from './connect.js';
export type { ConnectOptions, TlsOptions } from './options.js';
export { detailsOf, reasonOf, type ErrorDetails } from './errors.js';
export { message, type MessageType, type StreamMethod, type UnaryMethod } from './methods.js';
export * from './services.js';
