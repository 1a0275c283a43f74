import type * as Jmespath from 'jmespath';
import type * as Luxon from 'luxon';
import type * as Buffers from './bytes/buffer';
import type * as TextCoders from './globals/text-coders';
import type * as Harden from './harden';
import type * as Crypto from './modules/crypto';
import type * as Urls from './modules/url';

/**
 * Loads a library, or a module of the prelude that most code never names, or gives it again. Loading all of them would
 * take longer than most code.
 */
export interface LoadModule {
  (name: 'luxon'): typeof Luxon;
  (name: 'jmespath'): typeof Jmespath;
  (name: 'bytes/buffer'): typeof Buffers;
  (name: 'globals/text-coders'): typeof TextCoders;
  (name: 'harden'): typeof Harden;
  (name: 'modules/crypto'): typeof Crypto;
  (name: 'modules/url'): typeof Urls;
}

let load: LoadModule | undefined;
let library: typeof Luxon | undefined;
let defaultZone: string | undefined;

/** Sets the way to load modules. Called once, before anything else. */
export function connectModules(loadModule: LoadModule): void {
  load = loadModule;
}

/** The way to load modules when they are first needed. */
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

/** Sets the time zone of dates that state none. */
export function setDefaultZone(zone: string): void {
  defaultZone = zone;
  if (library !== undefined) library.Settings.defaultZone = zone;
}

/** jmespath. */
export function jmespath(): typeof Jmespath {
  return loader()('jmespath');
}
