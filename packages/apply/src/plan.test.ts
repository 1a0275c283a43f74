import fc from 'fast-check';
import type { WorkflowDocument } from './document';
import { matchDocuments, type ListedWorkflow } from './match';
import { planWorkflows, type CheckResult, type Plan, type PlanOptions } from './plan';

const document = (key: string, more: Partial<WorkflowDocument> = {}): WorkflowDocument => ({
  file: `${key}.json`,
  index: 0,
  key,
  hasOwnKey: false,
  id: undefined,
  active: undefined,
  name: key,
  definition: { name: key, nodes: [] },
  ...more,
});

const check = (hash: string, more: Partial<CheckResult> = {}): CheckResult => ({
  definition: { name: hash, nodes: [{ name: 'Hook' }] },
  hash,
  runnable: true,
  fields: [],
  warnings: [],
  credentials: [],
  routes: [],
  ...more,
});

const listed = (key: string, hash: string, more: Partial<ListedWorkflow> = {}): ListedWorkflow => ({
  id: `id-${key}`,
  name: key,
  active: false,
  versionId: 'v1',
  etag: `"${key}"`,
  hash,
  key,
  managed: { by: 'cli', set: '', appliedVersionId: 'v1' },
  ...more,
});

const OPTIONS: PlanOptions = {
  manager: 'cli',
  set: undefined,
  prune: false,
  pruneAll: false,
  adopt: false,
  overwrite: false,
};

const plan = (
  pairs: readonly (readonly [WorkflowDocument, CheckResult])[],
  all: readonly ListedWorkflow[],
  options: Partial<PlanOptions> = {},
): Plan => {
  const checks = new Map(pairs);
  const matched = matchDocuments([...checks.keys()], all);
  return planWorkflows(
    matched.map((one) => ({ ...one, check: checks.get(one.document) ?? check('none') })),
    all,
    { ...OPTIONS, ...options },
  );
};

const actions = ({ steps }: Plan): readonly string[] =>
  steps.map((step) => `${step.action} ${'document' in step ? step.document.key : step.workflow.key}`);
const reasons = ({ conflicts }: Plan): readonly string[] => conflicts.map(({ reason }) => reason);

const missing = { credentials: [{ node: 'A', type: 't', name: 'n', id: null, how: 'none' as const }] };
const taken = (by: string) => ({
  fields: [{ field: 'nodes[0].parameters.path', message: 'is taken' }],
  routes: [{ method: 'POST', path: 'p', node: 'Hook', takenBy: by }],
});

describe('a plan', () => {
  it('writes unchanged workflows whose apps are to be renewed, and no others', () => {
    const uses = (type: string): CheckResult => check('1', { definition: { nodes: [{ name: 'A', type }] } });
    const keys = ['own', 'tool', 'package', 'other'];
    const types = ['weft-nodes-base.erp', 'n8n-nodes-base.erpTool', '@acme/n8n-nodes-x.x', 'n8n-nodes-base.set'];
    const pairs = keys.map((key, index) => [document(key), uses(types[index] ?? '')] as const);
    const all = keys.map((key) => listed(key, '1'));
    expect(actions(plan(pairs, all))).toEqual([]);
    const renewed = new Set(['erp', '@acme/n8n-nodes-x.x']);
    const found = plan(pairs, all, { renewed });
    expect(actions(found)).toEqual(['replace own', 'replace tool', 'replace package']);
    expect(found.unchanged.map((one) => one.document.key)).toEqual(['other']);
  });

  it('creates unknown keys, leaves equal hashes alone, and replaces the others with the listed workflow', () => {
    const found = plan(
      [
        [document('new', { active: true }), check('1')],
        [document('same'), check('1')],
        [document('other'), check('2')],
      ],
      [listed('same', '1'), listed('other', '1')],
    );
    expect(actions(found)).toEqual(['replace other', 'create new']);
    expect(found.steps).toMatchObject([{ workflow: { etag: '"other"' } }, { active: true }]);
    expect(found.unchanged.map((one) => one.document.key)).toEqual(['same']);
  });

  it('releases addresses before it needs them: deactivate, replace, delete, create, activate', () => {
    const set = { managed: { by: 'cli' as const, set: 's', appliedVersionId: 'v1' } };
    const found = plan(
      [
        [document('on', { active: true }), check('1')],
        [document('new'), check('1')],
        [document('off', { active: false }), check('2')],
      ],
      [
        listed('on', '1', set),
        listed('off', '1', { ...set, active: true }),
        listed('gone', '1', set),
        listed('others', '1'),
      ],
      { set: 's', prune: true },
    );
    expect(actions(found)).toEqual(['deactivate off', 'replace off', 'delete gone', 'create new', 'activate on']);
  });

  it('does nothing if a file has an error, and names the file', () => {
    const fields = [{ field: 'nodes[0].type', message: 'is not known' }];
    const found = plan(
      [
        [document('good'), check('1')],
        [document('bad'), check('2', { definition: null, hash: null, fields })],
      ],
      [],
    );
    expect([actions(found), found.errors]).toEqual([
      [],
      [{ file: 'bad.json', message: 'nodes[0].type: is not known' }],
    ]);
    // A definition that cannot run can be stored, but not be active.
    const draft = check('2', { fields });
    expect(plan([[document('draft'), draft]], []).errors).toEqual([]);
    expect(plan([[document('draft'), draft]], []).warnings).toHaveLength(1);
    expect(plan([[document('draft', { active: true }), draft]], []).errors).toHaveLength(1);
    expect(plan([[document('draft'), draft]], [listed('draft', '1', { active: true })]).errors).toHaveLength(1);
  });

  it('reports what was changed elsewhere, unless it is to be overwritten or is the same', () => {
    const drifted = listed('a', '1', { versionId: 'v2' });
    const changed = [[document('a'), check('2')]] as const;
    expect([actions(plan(changed, [drifted])), reasons(plan(changed, [drifted]))]).toEqual([[], ['CHANGED_ELSEWHERE']]);
    expect(actions(plan(changed, [drifted], { overwrite: true }))).toEqual(['replace a']);
    expect(reasons(plan([[document('a'), check('1')]], [drifted]))).toEqual([]);
  });

  it('takes over a workflow only to adopt it', () => {
    const { managed: _, key: __, ...unmanaged } = listed('a', '1');
    const operator = listed('a', '1', { managed: { by: 'kubernetes', set: '', appliedVersionId: 'v1' } });
    const file = [[document('a', { id: 'id-a' }), check('1')]] as const;
    for (const [one, reason] of [
      [unmanaged, 'NOT_MANAGED'],
      [{ ...unmanaged, key: 'a' }, 'NOT_MANAGED'],
      [operator, 'MANAGED_ELSEWHERE'],
      [listed('a', '1', { managed: { by: 'cli', set: 'x', appliedVersionId: 'v1' } }), 'MANAGED_ELSEWHERE'],
    ] as const) {
      expect(reasons(plan(file, [one], { set: 's' }))).toEqual([reason]);
      const { steps } = plan(file, [one], { set: 's', adopt: true });
      expect(steps).toMatchObject([{ action: 'replace', set: 's', document: { key: 'a' } }]);
    }
    // A copy of a file whose workflow has another key is a new workflow.
    expect(actions(plan([[document('b', { id: 'id-a' }), check('1')]], [listed('a', '1')]))).toEqual(['create b']);
  });

  it('keeps the set of a workflow if none is given', () => {
    const inSet = listed('a', '1', { managed: { by: 'cli', set: 'x', appliedVersionId: 'v1' } });
    expect(plan([[document('a'), check('2')]], [inSet]).steps).toMatchObject([{ action: 'replace', set: 'x' }]);
  });

  it('stores a new workflow without its credential as inactive, says so once, and leaves an active one alone', () => {
    const found = plan([[document('new', { active: true }), check('1', missing)]], []);
    expect(found.steps).toMatchObject([{ action: 'create', active: false }]);
    expect(reasons(found)).toEqual(['CREDENTIAL_NOT_LINKED']);
    const notes = [
      { field: 'nodes[0].credentials.httpHeaderAuth', message: 'it does not exist' },
      { field: 'nodes[1].parameters.x', message: 'it is odd' },
    ];
    const noted = plan([[document('new', { active: true }), { ...check('1', missing), warnings: notes }]], []);
    expect(noted.warnings.map(({ message }) => message)).toEqual(['nodes[1].parameters.x: it is odd']);
    const active = plan([[document('a'), check('2', missing)]], [listed('a', '1', { active: true })]);
    expect([actions(active), reasons(active)]).toEqual([[], ['CREDENTIAL_NOT_LINKED']]);
    const inactive = plan([[document('a', { active: true }), check('2', missing)]], [listed('a', '1')]);
    expect(actions(inactive)).toEqual(['replace a']);
  });

  it('reports an address that another workflow has, unless the plan may release it', () => {
    const file = [document('a', { active: true }), check('1', taken('id-b'))] as const;
    expect(plan([file], [])).toMatchObject({ steps: [], errors: [], conflicts: [{ reason: 'WEBHOOK_PATH_TAKEN' }] });
    const released = plan([file, [document('b'), check('2')]], [listed('b', '1', { active: true })]);
    expect(actions(released)).toEqual(['replace b', 'create a']);
    expect(reasons(plan([[document('a', { active: true }), check('1', taken(''))]], []))).toHaveLength(1);
    expect(actions(plan([[document('a'), check('1', taken('id-b'))]], []))).toEqual(['create a']);
  });

  it('deletes nothing outside of its set, and at most half of it', () => {
    const inSet = (key: string, more: Partial<ListedWorkflow> = {}) =>
      listed(key, '1', { managed: { by: 'cli', set: 's', appliedVersionId: 'v1' }, ...more });
    const others = [
      listed('unset', '1'),
      listed('operator', '1', { managed: { by: 'kubernetes', set: 's', appliedVersionId: 'v1' } }),
    ];
    const file = [[document('a'), check('1')]] as const;
    const half = plan(file, [inSet('a'), inSet('b'), ...others], { set: 's', prune: true });
    expect(actions(half)).toEqual(['delete b']);
    const most = [inSet('a'), inSet('b'), inSet('c'), ...others];
    expect(plan(file, most, { set: 's', prune: true })).toMatchObject({ steps: [], errors: [{ file: '--prune' }] });
    expect(actions(plan(file, most, { set: 's', prune: true, pruneAll: true }))).toEqual(['delete b', 'delete c']);
    expect(actions(plan(file, most, { set: 's' }))).toEqual([]);
    const drifted = [inSet('a'), inSet('b', { versionId: 'v2' })];
    expect(reasons(plan(file, drifted, { set: 's', prune: true }))).toEqual(['CHANGED_ELSEWHERE']);
    expect(actions(plan(file, drifted, { set: 's', prune: true, overwrite: true }))).toEqual(['delete b']);
  });

  it('has nothing left to do after its steps, from any state', () => {
    const keys = ['a', 'b', 'c', 'd'] as const;
    const state = fc.record({ hash: fc.constantFrom('1', '2'), active: fc.boolean() });
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom(...keys),
          fc.record({ hash: fc.constantFrom('1', '2'), active: fc.option(fc.boolean(), { nil: undefined }) }),
        ),
        fc.dictionary(fc.constantFrom(...keys), state),
        fc.nat(10),
        (files, stored, killedAfter) => {
          const pairs = Object.entries(files).map(
            ([key, { hash, active }]) => [document(key, { active }), check(hash)] as const,
          );
          const options = { set: 's', prune: true, pruneAll: true };
          const managed = { by: 'cli' as const, set: 's', appliedVersionId: 'v1' };
          let now = Object.entries(stored).map(([key, { hash, active }]) => listed(key, hash, { active, managed }));
          const perform = ({ steps }: Plan, limit: number): void => {
            for (const step of steps.slice(0, limit)) {
              const others = now.filter(
                ({ key }) => key !== ('document' in step ? step.document.key : step.workflow.key),
              );
              if (step.action === 'delete') now = others;
              else if (step.action === 'create')
                now = [
                  ...others,
                  listed(step.document.key, String(step.definition['name']), { active: step.active, managed }),
                ];
              else
                now = [
                  ...others,
                  {
                    ...step.workflow,
                    ...now.find(({ key }) => key === step.document.key),
                    ...(step.action === 'replace'
                      ? { hash: String(step.definition['name']) }
                      : { active: step.action === 'activate' }),
                  },
                ];
            }
          };
          perform(plan(pairs, now, options), killedAfter);
          perform(plan(pairs, now, options), Infinity);
          expect(actions(plan(pairs, now, options))).toEqual([]);
          expect(now.map(({ key }) => key).sort()).toEqual(Object.keys(files).sort());
          for (const { key = '', hash, active } of now) {
            expect(hash).toBe(files[key]?.hash);
            if (files[key]?.active !== undefined) expect(active).toBe(files[key]?.active);
          }
        },
      ),
    );
  });
});
