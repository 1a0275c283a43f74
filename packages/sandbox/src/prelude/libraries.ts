import type * as Jmespath from 'jmespath';
import type * as Luxon from 'luxon';

/** Loads a library of the prelude, or gives it again. */
export interface LoadLibrary {
  (name: 'luxon'): typeof Luxon;
  (name: 'jmespath'): typeof Jmespath;
}

let load: LoadLibrary | undefined;
let library: typeof Luxon | undefined;
let defaultZone: string | undefined;

/** Sets the way to load libraries. Called once, before anything else. */
export function connectLibraries(loadLibrary: LoadLibrary): void {
  load = loadLibrary;
}

/** luxon, in the time zone of the run. Loaded when it is first asked for, as loading takes longer than most code. */
export function luxon(): typeof Luxon {
  if (library === undefined) {
    library = loader()('luxon');
    if (defaultZone !== undefined) library.Settings.defaultZone = defaultZone;
  }
  return library;
}

/** Sets the time zone of dates that state none. */
export function setDefaultZone(zone: string): void {
  defaultZone = zone;
  if (library !== undefined) library.Settings.defaultZone = zone;
}

/** jmespath. */
export function jmespath(): typeof Jmespath {
  return loader()('jmespath');
}

function loader(): LoadLibrary {
  if (load === undefined) throw new Error('The libraries are not connected.');
  return load;
}
