import { checkDefinition } from './check-definition';
import { reachableFrom, reachableFromTriggers } from './reachable';
import { readDefinition } from '@weft/node-catalogue';
import { startNodeOf } from './start-node';

const node = (name: string, kind: string, over: object = {}) => ({
  name,
  type: `n8n-nodes-base.${kind}`,
  position: [0, 0],
  parameters: {},
  ...over,
});
const definitionOf = (nodes: readonly object[], links: Readonly<Record<string, readonly string[]>>) =>
  readDefinition({
    name: 'w',
    nodes: JSON.parse(JSON.stringify(nodes)),
    connections: Object.fromEntries(
      Object.entries(links).map(([from, to]) => [
        from,
        { main: [to.map((name) => ({ node: name, type: 'main', index: 0 }))] },
      ]),
    ),
  });

const definition = definitionOf(
  [
    node('Start', 'manualTrigger'),
    node('Off', 'noOp', { disabled: true }),
    node('A', 'noOp'),
    node('Loose', 'nope'),
    node('Call', 'executeWorkflowTrigger'),
    node('Bad', 'unheard'),
    node('Mail', 'someTrigger'),
    node('B', 'noOp'),
  ],
  { Start: ['Off'], Off: ['A'], A: ['A'], Call: ['Bad'], Mail: ['B'] },
);

describe('the nodes that a run can reach', () => {
  it('are the start and all nodes after it, through disabled nodes and around loops', () => {
    expect([...reachableFrom(definition, ['Start'])]).toEqual(['Start', 'Off', 'A']);
  });

  it('begin, while the workflow is active, at triggers and at nodes that can only be triggers', () => {
    expect([...reachableFromTriggers(definition)].sort()).toEqual(['A', 'B', 'Bad', 'Call', 'Mail', 'Off', 'Start']);
    const withoutTrigger = definitionOf(
      [node('Call', 'executeWorkflowTrigger', { disabled: true }), node('Bad', 'unheard')],
      { Call: ['Bad'] },
    );
    expect([...reachableFromTriggers(withoutTrigger)]).toEqual([]);
  });

  it('limit a check on request', () => {
    const faultsOf = (...starts: string[]) =>
      checkDefinition(definition, reachableFrom(definition, starts)).map((error) => error.node);
    expect(faultsOf('Start')).toEqual([]);
    expect(faultsOf('Call')).toEqual(['Bad']);
    expect(checkDefinition(definition).map((error) => error.node)).toEqual(['Loose', 'Bad', 'Mail']);
  });
});

describe('the start node of a workflow', () => {
  const startOf = (purpose?: 'call' | 'error') => {
    const start = startNodeOf(
      definitionOf(
        [node('Start', 'manualTrigger'), node('Call', 'executeWorkflowTrigger'), node('Error', 'errorTrigger')],
        {},
      ),
      undefined,
      purpose,
    );
    return start.kind === 'found' ? start.node.name : start.kind;
  };

  it('is the trigger for the purpose of the start', () => {
    expect([startOf(), startOf('call'), startOf('error')]).toEqual(['Start', 'Call', 'Error']);
  });

  it('is any other trigger if none has that purpose', () => {
    const other = startNodeOf(
      definitionOf([node('Start', 'manualTrigger'), node('Off', 'errorTrigger', { disabled: true })], {}),
      undefined,
      'error',
    );
    expect(other).toMatchObject({ kind: 'found', node: { name: 'Start' } });
  });
});
