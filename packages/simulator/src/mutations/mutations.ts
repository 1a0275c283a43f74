import type { Edit, Mutation } from './apply-mutation';

const EXECUTIONS = 'services/executions';
const RUNNER = 'services/runner';

const edit = (project: string, module: string, find: string, replace: string): Edit => ({
  project,
  module,
  find,
  replace,
});

const executions = (module: string, find: string, replace: string): Edit => edit(EXECUTIONS, module, find, replace);

const runner = (module: string, find: string, replace: string): Edit => edit(RUNNER, module, find, replace);

const ANY_CODE_IS_FINAL = edit(
  'packages/service-kit',
  'mongo/store-errors',
  'REFUSAL_CODES.has(codeOf(error) ?? -1);\nexports.isRefusalOfContent',
  'codeOf(error) !== undefined;\nexports.isRefusalOfContent',
);

const NO_CONFIRMATIONS = executions(
  'store/executions/confirm-refusals',
  'const CONFIRMATIONS = 3',
  'const CONFIRMATIONS = 0',
);

/** The runner accepts an internal error of an entry as final at once, or without a witness. */
const NO_WITNESS = runner(
  'domain/claims/held/retry-while-held',
  'isWitnessed = failures > MAX_FAILURES && (await succeeds(witness));',
  'isWitnessed = failures > MAX_FAILURES;',
);

/** The protections that the simulator must find missing. */
export const MUTATIONS: readonly Mutation[] = [
  {
    name: 'failure-without-outcome',
    removes: 'A failure that ends a run is stored with its outcome, and the store refuses to continue past it (0268)',
    edits: [
      edit(
        'packages/engine',
        'run/run-workflow',
        `        if (result.kind === 'failed')
            this.#readyQueue.requeue(entry);
        for (const one of subRuns)`,
        '        for (const one of subRuns)',
      ),
      runner('domain/end/checkpoints', 'if (event.ends || event.joinsNext)', 'if (event.joinsNext)'),
      executions(
        'domain/step/report-executions',
        '(found) => endingFailure(report, found, ports.getVersion)',
        'async () => undefined',
      ),
      executions(
        'domain/state/run-writes',
        'const pastFailure = ({ pastFailure }) =>',
        'const pastFailure = ({ pastFailure }) => true ? {} :',
      ),
    ],
  },
  {
    name: 'writes-without-fence',
    isRare: true,
    removes: 'Every write of a runner demands its fence',
    edits: [
      executions(
        'domain/state/write',
        'execution_state_1.TRANSITIONS[transition], { fence }, specifics)',
        'execution_state_1.TRANSITIONS[transition], {}, specifics)',
      ),
    ],
  },
  {
    name: 'claim-of-running',
    removes: 'Only a queued execution can be claimed',
    edits: [
      executions(
        'domain/state/execution-state',
        "claim: { id: 'T3', from: ['queued']",
        "claim: { id: 'T3', from: ['queued', 'running']",
      ),
    ],
  },
  {
    name: 'keys-not-unique',
    removes: 'The unique index of idempotency keys',
    edits: [
      executions(
        'store/executions/execution-indexes',
        'keys: { idempotencyKey: 1 }, unique: true',
        'keys: { idempotencyKey: 1 }',
      ),
    ],
  },
  {
    name: 'unknown-ids-not-fenced',
    removes: 'A read that finds no execution fences its id (0274)',
    edits: [executions('handlers/executions', '!(await useCases.fence(executionId))', 'false')],
  },
  {
    name: 'any-code-is-final',
    isRare: true,
    removes: 'Only codes that concern the document are refusals, confirmed and witnessed (0265)',
    edits: [ANY_CODE_IS_FINAL, NO_CONFIRMATIONS, NO_WITNESS],
  },
  {
    name: 'refusals-not-witnessed',
    isRare: true,
    removes: 'A refusal counts only if other writes are accepted meanwhile (0265)',
    edits: [NO_CONFIRMATIONS, NO_WITNESS],
  },
  {
    name: 'deadlines-by-own-clock',
    isRare: true,
    removes: 'Irreversible deadlines use the clock of the store (0267)',
    edits: [executions('server', 'const clock = given ?? now;', 'const clock = given ?? Date.now;')],
  },
  {
    name: 'one-death-suffices',
    removes: 'A run is given up only after it repeatedly lost its process while isolated (0271)',
    edits: [
      executions('domain/state/lease-end', 'exports.MAX_DEATHS_ALONE = 2', 'exports.MAX_DEATHS_ALONE = 0.5'),
      executions(
        'domain/state/lease-end',
        'found.lease?.alone !== true || !(0, exports.hasActed)(found)',
        '!(0, exports.hasActed)(found)',
      ),
    ],
  },
  {
    name: 'hooks-not-armed',
    removes: 'The write that ends a run arms its completion hooks',
    edits: [executions('domain/state/run-writes', '(0, write_1.oneOf)(ARMED[outcome])', '(0, write_1.oneOf)([])')],
  },
  {
    name: 'acts-without-lease',
    removes: 'A run acts only while its lease holds (0277)',
    edits: [
      runner(
        'domain/end/barrier',
        `        await held.whenHeld();
        if (held.signal.aborted)
            throw new RunTakenAway();`,
        '',
      ),
    ],
  },
  {
    name: 'acts-before-earlier-are-stored',
    isRare: true,
    removes: 'An act waits until earlier acts are stored',
    edits: [runner('domain/end/barrier', 'await flush();', '')],
  },
  {
    name: 'acts-before-stored',
    removes: 'An inline run is stored before its first act (0035)',
    edits: [runner('domain/end/barrier', 'await (passing ??= pass());', '')],
  },
  {
    name: 'checkpoints-not-numbered',
    isRare: true,
    removes: 'A checkpoint demands the number of the previous one',
    edits: [
      executions(
        'domain/state/run-writes',
        'where: { checkpoint: before, ...where, ...demands }',
        'where: { ...where, ...demands }',
      ),
    ],
  },
  {
    name: 'lost-responses-not-recognised',
    isRare: true,
    removes: 'A write whose response was lost is recognised by its batch',
    edits: [executions('domain/state/write-outcome', 'if (found.batchId === batchId)', 'if (false)')],
  },
  {
    name: 'impatient-leases',
    removes: 'A lease ends only after its whole duration was seen without a renewal',
    edits: [executions('jobs/expire-leases', 'return ms + (0, back_off_1.leaseGraceMs)(ms);', 'return ms / 4;')],
  },
  {
    name: 'leases-not-renewed',
    removes: 'A runner renews the leases of its runs',
    edits: [runner('jobs/heartbeat', 'send(held.due());', '')],
  },
  {
    name: 'dead-runners-not-noticed',
    removes: 'A lease that is not renewed ends',
    edits: [executions('jobs/expire-leases', 'const over = seen.flatMap(', 'const over = [].flatMap(')],
  },
  {
    name: 'lease-as-read-not-demanded',
    isRare: true,
    removes: 'Ending a lease demands that it was not renewed since it was read',
    edits: [
      executions(
        'domain/state/lease-end',
        "const asSeen = ({ lease }) => ({ 'lease.until': lease?.until });",
        'const asSeen = () => ({});',
      ),
    ],
  },
  {
    name: 'no-republication',
    removes: 'Executions whose message was lost are published again',
    edits: [
      executions('jobs/republish-unclaimed', 'if ((backlog() ?? Number.POSITIVE_INFINITY) > MAX_BACKLOG)', 'if (true)'),
    ],
  },
  {
    name: 'children-without-key',
    isRare: true,
    removes: 'A repeated call of a sub-workflow finds its child by a key',
    edits: [
      executions(
        'domain/start/start-child',
        '`sub:${parentId}:${node}:${run}:${item}',
        '`sub:${Math.random()}:${parentId}:${node}:${run}:${item}',
      ),
    ],
  },
];
