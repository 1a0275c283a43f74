export { InFlightMap } from './in-flight-map';
export { InFlightSet } from './in-flight-set';
export { createShares, type Shares } from './shares';
export { WorkUnderWay } from './work-under-way';
