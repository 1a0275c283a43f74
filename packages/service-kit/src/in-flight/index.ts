export { InFlightMap } from './in-flight-map';
export { InFlightSet } from './in-flight-set';
