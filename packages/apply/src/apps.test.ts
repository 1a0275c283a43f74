import { beforeApps, planApps, type AppFile } from './apps';
import type { Checked, CheckResult } from './plan';

const app = (name: string, digest = 'sha256:1', file = `${name}.yaml`): AppFile => ({
  file,
  name,
  digest,
  kinds: [name, `@some/n8n-nodes-${name}.${name}`],
  document: { name },
});

describe('a plan for apps', () => {
  it('creates new ones, replaces changed ones, and leaves equal ones and those without a file alone', () => {
    const listed = [
      { name: 'changed', digest: 'sha256:0' },
      { name: 'equal', digest: 'sha256:1' },
      { name: 'other', digest: 'sha256:1' },
    ];
    expect(planApps([app('new'), app('changed'), app('equal')], listed)).toMatchObject({
      errors: [],
      steps: [
        { action: 'create', app: { name: 'new' }, seen: undefined },
        { action: 'replace', app: { name: 'changed' }, seen: 'sha256:0' },
      ],
      unchanged: [{ name: 'equal' }],
    });
  });

  const listedApps = (...names: readonly string[]) => names.map((name) => ({ name, digest: 'sha256:1' }));

  it('deletes apps without a file if they are pruned, and no others', () => {
    const listed = listedApps('a', 'b', 'old');
    expect(planApps([app('a'), app('b')], listed).pruned).toEqual([]);
    expect(planApps([app('a'), app('b')], listed, 'half')).toMatchObject({ errors: [], pruned: [{ name: 'old' }] });
  });

  it('deletes more than half of the apps of an instance only if this is intended', () => {
    const listed = listedApps('a', 'old', 'older');
    expect(planApps([app('a'), app('new')], listed, 'half')).toEqual({
      errors: [
        {
          file: '--prune-apps',
          message: 'would delete 2 of the 3 apps of the instance. Use --prune-all-apps if this is intended.',
        },
      ],
      steps: [],
      unchanged: [app('a')],
      pruned: [],
    });
    expect(planApps([app('a')], listed, 'all')).toMatchObject({ pruned: [{ name: 'old' }, { name: 'older' }] });
    expect(planApps([], listedApps('a', 'b'), 'half').errors).toHaveLength(1);
  });

  it('refuses two files with the same app', () => {
    const { errors, steps } = planApps([app('a'), app('b'), app('a', 'sha256:2', 'other.yaml')], []);
    expect([errors, steps]).toEqual([
      [{ file: 'other.yaml', message: 'is the app "a" of a.yaml. Give each its own name.' }],
      [],
    ]);
  });
});

describe('a check before apps are added', () => {
  const check: CheckResult = {
    definition: null,
    hash: null,
    fields: [
      { field: 'nodes[0].type', message: 'is unknown.' },
      { field: 'nodes[1].type', message: 'is unknown.' },
      { field: 'nodes[2].type', message: 'is unknown.' },
      { field: 'nodes', message: 'lack a trigger.' },
    ],
    warnings: [{ field: 'nodes[1].credentials.x', message: 'is missing.' }],
    credentials: [],
    runnable: false,
    routes: [],
  };
  const checkedWith = (...types: readonly string[]): Checked => ({
    document: {
      ...{ file: 'w.json', index: 0, key: 'w', hasOwnKey: false, id: undefined, active: true, name: 'w' },
      definition: { nodes: types.map((type) => ({ type })) },
    },
    workflow: undefined,
    by: 'none',
    check,
  });

  it('reports errors of other nodes only', () => {
    const checked = checkedWith('weft-nodes-base.erp', '@some/n8n-nodes-erp.erp', 'n8n-nodes-base.other');
    const [one] = beforeApps([checked], [{ action: 'create', app: app('erp'), seen: undefined }]);
    expect(one?.check.fields).toEqual(check.fields.slice(2));
    expect(one?.check.warnings).toEqual([
      { field: 'nodes[0]', message: 'is checked after the app "erp" has been added.' },
      { field: 'nodes[1]', message: 'is checked after the app "erp" has been added.' },
    ]);
  });

  it('is unchanged without nodes of the apps', () => {
    const checked = checkedWith('n8n-nodes-base.set');
    expect(beforeApps([checked], [{ action: 'replace', app: app('erp'), seen: 'sha256:0' }])).toEqual([checked]);
  });
});
