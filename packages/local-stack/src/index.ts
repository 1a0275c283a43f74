export { findPlaces } from './places';
export type { Environment, Places } from './places';
export { startServers } from './stack/start-servers';
export type { Servers, ServersPlan } from './stack/start-servers';
