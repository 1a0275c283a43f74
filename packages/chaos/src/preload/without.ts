/*
 * Loaded into a service before its own code (NODE_OPTIONS --require): takes away the protections that CHAOS_WITHOUT
 * names by replacing functions of the compiled modules as they are loaded. The services themselves have no switch for
 * that. A protection whose function is not to be found ends the process: a run without it would prove nothing.
 */
type Exports = Record<string, unknown>;
type Replace = (original: (...values: never[]) => unknown) => (...values: never[]) => unknown;

/** One function of one module. */
interface Patch {
  readonly service: string;
  /** End of the path of its compiled file. */
  readonly file: string;
  readonly name: string;
  readonly replace: Replace;
}

const fail = (sentence: string): never => {
  process.stderr.write(`${sentence}\n`);
  process.exit(97);
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

/** A write that does not ask under which fence the execution is held. */
const unfenced: Replace = (original) => (...values) => {
  const write = original(...values);
  if (!isObject(write) || !isObject(write['filter'])) return fail('A write has no filter any more: correct packages/chaos/src/preload/without.ts.');
  const { fence: _dropped, ...filter } = write['filter'];
  return { ...write, filter };
};

/** A claim that takes what a runner died over beside everything else. */
const inCompany: Replace = (original) => (...values) => {
  const write = original(...values);
  if (!isObject(write) || !isObject(write['filter'])) return fail('A claim has no filter any more: correct packages/chaos/src/preload/without.ts.');
  const { runsAlone: _dropped, ...filter } = write['filter'];
  return { ...write, filter };
};

/** Every death of a runner counts as the fault of each of its runs. */
const asIfAlone: Replace = (original) => (...values) => {
  const [found]: readonly unknown[] = values;
  if (!isObject(found) || !isObject(found['lease'])) return fail('A lease that ran out is not known any more: correct packages/chaos/src/preload/without.ts.');
  return Reflect.apply(original, undefined, [{ ...found, lease: { ...found['lease'], alone: true } }]);
};

const PATCHES: Readonly<Record<string, readonly Patch[]>> = {
  sweeper: [
    { service: 'executions', file: 'jobs/sweep.js', name: 'createSweep', replace: () => () => () => Promise.resolve(false) },
    { service: 'executions', file: 'jobs/expire-leases.js', name: 'createExpireLeases', replace: () => () => () => Promise.resolve(false) },
  ],
  isolation: [
    { service: 'executions', file: 'domain/run-writes.js', name: 'claimWrite', replace: inCompany },
    { service: 'executions', file: 'domain/free-writes.js', name: 'isGivenUp', replace: asIfAlone },
  ],
  fence: [{ service: 'executions', file: 'domain/write.js', name: 'fencedWrite', replace: unfenced }],
};

const service = process.env['CHAOS_SERVICE'] ?? '';
const wanted = (process.env['CHAOS_WITHOUT'] ?? '').split(',').filter((name) => name !== '');
const open = new Set(wanted.flatMap((name) => PATCHES[name] ?? []).filter((patch) => patch.service === service));

for (const name of wanted) if (PATCHES[name] === undefined) fail(`There is no protection ${name} to take away.`);

const apply = (filename: string, exported: Exports): void => {
  for (const patch of open) {
    if (!filename.endsWith(`/services/${service}/dist/src/${patch.file}`)) continue;
    const original = exported[patch.name];
    if (typeof original !== 'function') return fail(`${patch.file} has no function ${patch.name} any more: correct packages/chaos/src/preload/without.ts.`);
    exported[patch.name] = patch.replace((...values) => Reflect.apply(original, undefined, values));
    open.delete(patch);
  }
};

// deprecated, and the one hook that CommonJS has: this is for tests
const load = require.extensions['.js'];
if (load === undefined) fail('This Node has no loader for CommonJS files.');
else {
  require.extensions['.js'] = (loaded, filename) => {
    load(loaded, filename);
    apply(filename, loaded.exports);
  };
}

// everything that a service is made of is loaded before its first turn is over
setImmediate(() => {
  for (const { file } of open) fail(`${file} was not loaded: correct packages/chaos/src/preload/without.ts.`);
});
