import { readVersionFacts } from './workflow-version';

const factsOf = (definition: object) =>
  readVersionFacts({
    versionId: 'v',
    workflowId: 'w',
    ownerId: 'o',
    definition: Buffer.from(JSON.stringify(definition)),
  });

describe('the facts of a version', () => {
  it('are the defaults if nothing valid is set', () => {
    const defaults = {
      crashPolicy: 'resume',
      errorWorkflow: '',
      errorTrigger: '',
      callTrigger: '',
      callerPolicy: 'same-owner',
      callers: [],
      keeps: { success: true, error: true, manual: true },
    };
    expect(factsOf({})).toMatchObject(defaults);
    expect(factsOf({ nodes: 'x', settings: [1], name: 5 })).toMatchObject({ ...defaults, name: '' });
    expect(
      factsOf({
        settings: {
          crashPolicy: 'constructor',
          callerPolicy: 'toString',
          executionTimeout: -1,
          errorWorkflow: 'DEFAULT',
        },
      }),
    ).toMatchObject(defaults);
    expect(factsOf({ settings: { executionTimeout: -1 } }).timeoutMs).toBeUndefined();
  });

  it('name the nodes whose failure does not end a run: those that continue, and sub-nodes', () => {
    const nodes = [{ name: 'A', onError: 'continueErrorOutput' }, { name: 'B' }, { name: 'Tool' }];
    const links = [[{ node: 'B', index: 0 }]];
    const connections = { A: { main: links }, Tool: { ai_tool: links } };
    expect([...factsOf({ nodes, connections }).continuing]).toEqual(['A', 'Tool']);
  });

  it('are read from the settings', () => {
    const settings = {
      executionTimeout: 1.5,
      crashPolicy: 'fail',
      errorWorkflow: 'e',
      saveDataSuccessExecution: 'none',
      saveManualExecutions: false,
      callerPolicy: 'workflowsFromAList',
      callerIds: 'a, b,',
    };
    expect(factsOf({ name: 'n', settings })).toMatchObject({
      name: 'n',
      timeoutMs: 1_500,
      crashPolicy: 'fail',
      errorWorkflow: 'e',
      keeps: { success: false, error: true, manual: false },
      callerPolicy: 'listed',
      callers: ['a', 'b'],
    });
  });

  it.each(['n8n-nodes-base.executeWorkflow', '@n8n/n8n-nodes-langchain.toolWorkflow'])(
    'say that %s calls other workflows, unless it is disabled',
    (type) => {
      expect(factsOf({ nodes: [{ name: 'Call', type }] }).callsWorkflows).toBe(true);
      expect(factsOf({ nodes: [{ name: 'Call', type, disabled: true }] }).callsWorkflows).toBeUndefined();
    },
  );

  it('include the start nodes of error runs and calls, whatever the prefix, and not disabled ones', () => {
    const nodes = [
      { name: 'Off', type: 'n8n-nodes-base.errorTrigger', disabled: true },
      { name: 'On', type: 'weft-nodes-base.errorTrigger' },
      { name: 'Called', type: 'n8n-nodes-base.executeWorkflowTrigger' },
    ];
    expect(factsOf({ nodes })).toMatchObject({ errorTrigger: 'On', callTrigger: 'Called', errorWorkflow: 'w' });
  });

  it('determine whether a caller gets the items of all runs of the last node', () => {
    const of = (trigger: object) =>
      factsOf({ nodes: [{ name: 'T', type: 'n8n-nodes-base.executeWorkflowTrigger', ...trigger }] }).returnsAllRuns;
    expect(of({ typeVersion: 1.2 })).toBe(true);
    expect(of({ typeVersion: 1.1 })).toBeUndefined();
    expect(of({ typeVersion: 1.1, parameters: { returnOutput: 'allRuns' } })).toBe(true);
    expect(factsOf({ nodes: [] }).returnsAllRuns).toBeUndefined();
  });

  it('include the kind of each node', () => {
    const { kindOf } = factsOf({
      nodes: [{ name: 'A', type: 'n8n-nodes-base.n8n' }, { name: 'B', type: 'n8n' }, { name: 'C' }],
    });
    expect(['A', 'B', 'C'].map((name) => kindOf.get(name))).toEqual(['n8n', '', '']);
  });

  it('include the credentials of each node', () => {
    const { credentialsOf } = factsOf({
      nodes: [{ name: 'A', credentials: { x: { id: 'c1' }, y: { id: 'c2' }, z: 'odd' } }, { name: 'B' }],
    });
    expect([...(credentialsOf.get('A') ?? [])]).toEqual(['c1', 'c2']);
    expect([...(credentialsOf.get('B') ?? [])]).toEqual([]);
  });
});
