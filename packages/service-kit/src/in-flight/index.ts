export { InFlightMap } from './in-flight-map';
export { InFlightSet } from './in-flight-set';
export { WorkUnderWay } from './work-under-way';
