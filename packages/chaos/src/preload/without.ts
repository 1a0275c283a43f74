/*
 * Loaded into a service before its own code (NODE_OPTIONS --require): disables the protections that CHAOS_WITHOUT
 * names by replacing functions of the compiled modules as they are loaded. The services themselves have no switch for
 * that. If the function of a protection is not found, the process ends: a run without it would prove nothing.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { WriteOutcome } from '@weft/proto/runner';
import { InvalidRequest, ServiceError } from '@weft/service-kit/errors';
import { toRpcStatus } from '@weft/service-kit/grpc';
import { isObject } from '@weft/service-kit/json';

type AnyFunction = (...values: unknown[]) => unknown;
type Replace = (original: AnyFunction) => AnyFunction;

type Exports = Record<string, unknown>;

/** One function of one module. */
interface Patch {
  readonly service: string;
  /** Path of its compiled file from the root of the checkout. */
  readonly file: string;
  readonly name: string;
  readonly replace: Replace;
}

const fail = (sentence: string): never => {
  process.stderr.write(`${sentence}\n`);
  process.exit(97);
};

/** A background job that finds nothing to do. */
const idle: Replace = () => () => () => Promise.resolve(false);

/** A write that does not check the current fence of the execution. */
const unfenced: Replace =
  (original) =>
  (...values) => {
    const write = original(...values);
    if (!isObject(write) || !isObject(write['where']) || write['where']['fence'] === undefined)
      return fail('A write asks for no fence any more: correct packages/chaos/src/preload/without.ts.');
    const { fence: _dropped, ...where } = write['where'];
    return { ...write, where };
  };

/**
 * The death of a runner counts for all runs on it, and the first one is enough: whether one run meets three of them
 * before it ends depends on the speed of the machine.
 */
const atTheFirstDeath: Replace = () => () => true;

const isFunction = (value: unknown): value is AnyFunction => typeof value === 'function';

/** A list with one invalid entry is refused as a whole, before any of it is processed. */
const refusedWhole: Replace =
  (original) =>
  (carryOut, ...rest) => {
    const decode = original(() => Promise.resolve('applied'), ...rest);
    const handle = original(carryOut, ...rest);
    if (!isFunction(decode) || !isFunction(handle))
      return fail('A handler is no longer a function: correct packages/chaos/src/preload/without.ts.');
    return async (...request: unknown[]) => {
      const answer = await decode(...request);
      if (isObject(answer) && answer['refusals'] !== undefined) throw new InvalidRequest('The list is not valid.');
      return handle(...request);
    };
  };

/** The runner sends data that the service refuses: answers of hostile workflows become invalid entries. */
const unchecked: Replace = () => () => undefined;

/** Entries wait for each other this long, so that they share batches under a light load too. */
const SHARE_MS = 150;

/** The error of a refused call is used for each of its entries. */
const refusedTogether: Replace = (original) => (codec, send) => {
  if (!isFunction(send))
    return fail('Entries are sent in another way now: correct packages/chaos/src/preload/without.ts.');
  return original(codec, async (entries: unknown) => {
    await sleep(SHARE_MS);
    try {
      return await send(entries);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.kind !== 'invalid' || !Array.isArray(entries)) throw error;
      const status = toRpcStatus(error);
      return {
        outcomes: entries.map(() => WriteOutcome.WRITE_OUTCOME_REFUSED),
        refusals: { byPosition: Object.fromEntries(entries.map((_, position) => [position, status])) },
      };
    }
  });
};

const PATCHES: Readonly<Record<string, readonly Patch[]>> = {
  sweeper: [
    { service: 'executions', file: 'services/executions/dist/src/jobs/sweep.js', name: 'createSweep', replace: idle },
    {
      service: 'executions',
      file: 'services/executions/dist/src/jobs/expire-leases.js',
      name: 'createExpireLeases',
      replace: idle,
    },
  ],
  'per-entry-answers': [
    {
      service: 'executions',
      file: 'services/executions/dist/src/handlers/runs/steps.js',
      name: 'reportHandler',
      replace: refusedWhole,
    },
    {
      service: 'runner',
      file: 'services/runner/dist/src/clients/entry-batches.js',
      name: 'createEntryBatches',
      replace: refusedTogether,
    },
    {
      service: 'runner',
      file: 'packages/service-kit/dist/src/limits/limits.js',
      name: 'checkResponse',
      replace: unchecked,
    },
  ],
  isolation: [
    {
      service: 'executions',
      file: 'services/executions/dist/src/domain/state/lease-end.js',
      name: 'isGivenUp',
      replace: atTheFirstDeath,
    },
  ],
  fence: [
    {
      service: 'executions',
      file: 'services/executions/dist/src/domain/state/write.js',
      name: 'fencedWrite',
      replace: unfenced,
    },
  ],
};

const service = process.env['CHAOS_SERVICE'] ?? '';
const wanted = (process.env['CHAOS_WITHOUT'] ?? '').split(',').filter((name) => name !== '');
const open = new Set(wanted.flatMap((name) => PATCHES[name] ?? []).filter((patch) => patch.service === service));

for (const name of wanted) if (PATCHES[name] === undefined) fail(`There is no protection ${name} to take away.`);

const apply = (filename: string, exported: Exports): void => {
  for (const patch of open) {
    if (!filename.endsWith(`/${patch.file}`)) continue;
    const original = exported[patch.name];
    if (typeof original !== 'function')
      return fail(
        `${patch.file} has no function ${patch.name} any more: correct packages/chaos/src/preload/without.ts.`,
      );
    exported[patch.name] = patch.replace((...values) => Reflect.apply(original, undefined, values));
    open.delete(patch);
  }
};

// deprecated, but the only hook for CommonJS; this is for tests
const load = require.extensions['.js'];
if (load === undefined) fail('This Node has no loader for CommonJS files.');
else {
  require.extensions['.js'] = (loaded, filename) => {
    load(loaded, filename);
    apply(filename, loaded.exports);
  };
}

// all modules of a service are loaded before its first turn is over
setImmediate(() => {
  for (const { file } of open) fail(`${file} was not loaded: correct packages/chaos/src/preload/without.ts.`);
});
