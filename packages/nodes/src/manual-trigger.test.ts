import { outputOf } from './testing/run-kind';

describe('manualTrigger and start', () => {
  it.each(['manualTrigger', 'start'])('%s gives the data of the call', async (kind) => {
    expect(await outputOf(kind, { isStart: true, items: [{ order: 7 }] })).toEqual([{ order: 7 }]);
    expect(await outputOf(kind, { isStart: true })).toEqual([{}]);
  });
});
