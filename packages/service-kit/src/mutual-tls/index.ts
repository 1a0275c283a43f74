export { tlsErrors, type TlsSettings } from './certificates';
export { logRefusedPeers } from './log-refused-peers';
export { createSecureTransport, processTransport, secureProcess, type SecureTransport } from './secure-transport';
