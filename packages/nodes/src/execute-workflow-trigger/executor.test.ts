import type { JsonObject } from '@weft/node-catalogue';
import { runKind } from '../testing/cases/run-kind';

const items = [{ a: 1, b: 2 }, { c: 3 }];
const given = async (version: number, parameters: JsonObject = {}) =>
  (await runKind('executeWorkflowTrigger', { version, isStart: true, mode: 'integrated', items, parameters }))
    .outputs[0];

describe('executeWorkflowTrigger', () => {
  it('outputs the items unchanged in version 1 and if all fields are accepted', async () => {
    expect(await given(1)).toEqual(items);
    expect(await given(1.1, { inputSource: 'passthrough' })).toEqual(items);
    expect(await given(1.1)).toEqual(items);
  });

  it('outputs only the declared fields, null for missing ones', async () => {
    const kept = [
      { a: 1, c: null },
      { a: null, c: 3 },
    ];
    expect(await given(1.1, { workflowInputs: { values: [{ name: 'a', type: 'number' }, { name: 'c' }] } })).toEqual(
      kept,
    );
    expect(await given(1.1, { inputSource: 'jsonExample', jsonExample: '{ "a": 0, "c": 0 }' })).toEqual(kept);
  });

  it('reports an example that is not an object', async () => {
    const { error } = await runKind('executeWorkflowTrigger', {
      version: 1.1,
      isStart: true,
      items,
      parameters: { inputSource: 'jsonExample', jsonExample: '[' },
    });
    expect(error?.message).toBe('The example of the input is not a JSON object');
  });
});
