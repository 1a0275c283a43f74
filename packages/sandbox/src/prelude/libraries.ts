import type * as Jmespath from 'jmespath';
import type * as Luxon from 'luxon';
import type * as BuiltIns from './built-ins';
import type * as Buffers from './bytes/buffer';
import type * as TextCoders from './globals/text-coders';
import type * as Crypto from './modules/crypto';
import type * as Urls from './modules/url';

/**
 * Loads a library, or a rarely used module of the prelude, or returns it if it is loaded. Loading all of them would
 * take longer than most code.
 */
export interface LoadModule {
  (name: 'luxon'): typeof Luxon;
  (name: 'jmespath'): typeof Jmespath;
  (name: 'bytes/buffer'): typeof Buffers;
  (name: 'globals/text-coders'): typeof TextCoders;
  (name: 'built-ins'): typeof BuiltIns;
  (name: 'modules/crypto'): typeof Crypto;
  (name: 'modules/url'): typeof Urls;
}

let load: LoadModule | undefined;
let library: typeof Luxon | undefined;
let defaultZone: string | undefined;

/** Sets the module loader. Called once, before anything else. */
export function connectModules(loadModule: LoadModule): void {
  load = loadModule;
}

/** The loader for modules needed later. */
export function loader(): LoadModule {
  if (load === undefined) throw new Error('The modules are not connected.');
  return load;
}

/** luxon, in the time zone of the run. */
export function luxon(): typeof Luxon {
  if (library === undefined) {
    library = loader()('luxon');
    if (defaultZone !== undefined) library.Settings.defaultZone = defaultZone;
  }
  return library;
}

/** Sets the default time zone of dates. */
export function setDefaultZone(zone: string): void {
  defaultZone = zone;
  if (library !== undefined) library.Settings.defaultZone = zone;
}

export function jmespath(): typeof Jmespath {
  return loader()('jmespath');
}
