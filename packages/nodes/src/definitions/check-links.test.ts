import type { Json, JsonObject } from '@weft/service-kit/json';
import { readDefinition } from '@weft/node-catalogue';
import { KIND_TABLE } from '../descriptors/kinds';
import { checkDefinition } from './check-definition';
import { linkErrors, linkWarnings } from './check-links';

const node = (name: string, kind = 'noOp', over: JsonObject = {}): JsonObject => ({
  name,
  type: `weft-nodes-base.${kind}`,
  parameters: {},
  ...over,
});
const nodes = [node('Start', 'manualTrigger'), node('Fetch order', 'set'), node('Both', 'merge', { typeVersion: 3 })];
const definition = (connections: JsonObject, more: JsonObject[] = []) =>
  readDefinition({ name: 'x', nodes: [...nodes, ...more], connections });
const to = (name: string, over: JsonObject = {}): JsonObject => ({ node: name, type: 'main', index: 0, ...over });
const at = (output: number, ...ends: Json[]): JsonObject => {
  const outputs: Json[] = Array.from({ length: output }, () => []);
  return { main: [...outputs, ends] };
};

describe('links to nowhere', () => {
  it.each<[string, JsonObject, string, string]>([
    ['case', { Start: at(0, to('fetch Order')) }, 'connections["Start"].main[0][0].node', '"Fetch order"'],
    ['a missing letter', { Start: at(0, to('Fetch oder')) }, 'connections["Start"].main[0][0].node', '"Fetch order"'],
    ['a space', { 'Start ': at(0, to('Both')) }, 'connections["Start "]', '"Start"'],
    ['the type of the output', { Start: { Main: [[to('Both')]] } }, 'connections["Start"].Main', '"main"'],
    ['the type of the link', { Start: at(0, to('Both', { type: 'mainn' })) }, '', '"main"'],
  ])('are errors if only the spelling is wrong: %s', (_, connections, field, meant) => {
    const [error, ...others] = linkErrors(definition(connections), KIND_TABLE);
    expect([error?.message, others]).toEqual([expect.stringContaining(`Did you mean ${meant}?`), []]);
    if (field !== '') expect(error?.field).toBe(field);
    expect(checkDefinition(definition(connections))).toEqual([error]);
  });

  it.each<[string, JsonObject, string]>([
    ['a removed node', { Start: at(0, to('Removed')) }, 'No node is called "Removed"'],
    ['a removed copy', { Start: at(0, to('Fetch order1')) }, 'No node is called "Fetch order1"'],
    ['a removed source', { Removed: at(0, to('Both')) }, 'No node is called "Removed"'],
    ['an unknown connection type', { Start: { other: [[to('Both')]] } }, '"other" is not a type'],
    ['an output that the node lacks', { Start: at(2, to('Both')) }, 'has no output 2 (it has 1)'],
    ['an input that the node lacks', { Start: at(0, to('Fetch order', { index: 1 })) }, 'has no input 1 (it has 1)'],
  ])('are warnings that do not prevent a run: %s', (_, connections, message) => {
    expect(linkErrors(definition(connections), KIND_TABLE)).toEqual([]);
    expect(linkWarnings(definition(connections), KIND_TABLE).map((warning) => warning.message)).toEqual([
      expect.stringContaining(message),
    ]);
  });

  it('count as leftovers of a renamed node if the node has links under its new name', () => {
    const connections = { start: at(0, to('Both')), Start: at(0, to('Both')) };
    expect([
      linkErrors(definition(connections), KIND_TABLE),
      linkWarnings(definition(connections), KIND_TABLE).length,
    ]).toEqual([[], 1]);
  });

  it('are ignored for nodes that do not run', () => {
    const connections = { 'Fetch order': at(0, to('both')) };
    expect(linkErrors(definition(connections), KIND_TABLE, new Set(['Start']))).toEqual([]);
    expect(linkErrors(definition(connections), KIND_TABLE, new Set(['Fetch order']))).toHaveLength(1);
  });

  it.each<[string, JsonObject, JsonObject[]]>([
    ['connections of AI nodes', { Model: { ai_languageModel: [[to('Agent', { type: 'ai_languageModel' })]] } }, []],
    ['the error output', { Safe: at(1, to('Both')) }, [node('Safe', 'set', { onError: 'continueErrorOutput' })]],
    [
      'outputs of rules, and the fallback output',
      { Route: { main: [[to('Both')], [to('Both')], [to('Both')]] } },
      [node('Route', 'switch', { typeVersion: 3, parameters: { rules: { values: [{}, {}] } } })],
    ],
    [
      'outputs whose number is an expression',
      { Route: at(9, to('Both')) },
      [node('Route', 'switch', { typeVersion: 3, parameters: { mode: 'expression', numberOutputs: '={{ 10 }}' } })],
    ],
    [
      'inputs whose number is a parameter',
      { Start: at(0, to('Four', { index: 3 })) },
      [node('Four', 'merge', { typeVersion: 3, parameters: { numberInputs: 4 } })],
    ],
    ['sources whose links were all removed', { Removed: { main: [[]] } }, []],
  ])('are not: %s', (_, connections, more) => {
    const others = [node('Model', 'x'), node('Agent', 'x')];
    expect(linkWarnings(definition(connections, [...others, ...more]), KIND_TABLE)).toEqual([]);
  });

  it('are matched to similar names within bounds', () => {
    const many = Array.from({ length: 2_000 }, (_, n) => node(`${'x'.repeat(490)}${n}`));
    const dead = Array.from({ length: 5_000 }, (_, n) => to(`${'y'.repeat(490)}${n}`));
    expect(linkWarnings(definition({ Start: at(0, ...dead) }, many), KIND_TABLE)).toHaveLength(50);
  });
});
