'use strict';

/*
 * Test environment of all layers: test files run in the context of the worker process itself, not in a vm context each.
 * Only there can they share the packages that shared-packages.cjs loads once: an error or an array of another context
 * is not `instanceof` its own class. Changes of a file to the process are undone before the next file runs.
 */
const vm = require('node:vm');
const { LegacyFakeTimers, ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

// jest compiles each module for the context that its environment names and takes no answer but a context: this one
// stands for the main one, which has no handle
const MAIN = vm.createContext();
const { compileFunction } = vm;
vm.compileFunction = (code, parameters, options) =>
  compileFunction(
    code,
    parameters,
    options?.parsingContext === MAIN ? { ...options, parsingContext: undefined } : options,
  );

const { exit } = process;

/** Records the state of the process that a test file may change. Returns a function that restores it. */
const remember = () => {
  const globals = new Map(Reflect.ownKeys(globalThis).map((key) => [key, descriptorOf(key)]));
  const env = { ...process.env };
  const listeners = new Map(process.eventNames().map((name) => [name, process.rawListeners(name)]));
  const folder = process.cwd();
  return () => {
    process.exit = exit;
    process.chdir(folder);
    for (const key of Object.keys(process.env)) if (!(key in env)) delete process.env[key];
    Object.assign(process.env, env);
    // handlers that end with this process were registered by a package, which the next file uses as well
    for (const name of process.eventNames().filter((event) => event !== 'exit'))
      for (const listener of process.rawListeners(name))
        if (!listeners.get(name)?.includes(listener)) process.removeListener(name, listener);
    for (const key of Reflect.ownKeys(globalThis)) {
      const [before, now] = [globals.get(key), descriptorOf(key)];
      // only the state of expect() cannot be undone; jest resets it for each test
      if (before === undefined && now.configurable) delete globalThis[key];
      else if (before !== undefined && before.value !== now.value) Object.defineProperty(globalThis, key, before);
    }
  };
};

const descriptorOf = (key) => Object.getOwnPropertyDescriptor(globalThis, key);

module.exports = class MainContextEnvironment {
  constructor({ projectConfig }) {
    this.restore = remember();
    this.global = globalThis;
    Object.assign(globalThis, projectConfig.globals);
    this.moduleMocker = new ModuleMocker(globalThis);
    const timers = { config: projectConfig, global: globalThis };
    this.fakeTimersModern = new ModernFakeTimers(timers);
    this.fakeTimers = new LegacyFakeTimers({
      ...timers,
      moduleMocker: this.moduleMocker,
      timerConfig: { idToRef: (id) => id, refToId: (timer) => timer },
    });
  }

  async setup() {}

  async teardown() {
    this.fakeTimers.dispose();
    this.fakeTimersModern.dispose();
    this.restore();
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return MAIN;
  }
};
