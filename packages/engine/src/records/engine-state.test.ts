import { decodeState, encodeState, EngineStateUnknown, initialState, STATE_VERSIONS } from './engine-state';
import { EngineStateUnreadable } from './state-errors';

describe('decodeState', () => {
  it.each([
    '',
    '[]',
    '{"version":2}',
    '{"version":1}',
    '{"version":1,"executionIndex":0,"ready":[{}],"waiting":[],"memories":{}}',
  ])('refuses %s by name', (text) => {
    expect(() => decodeState(new TextEncoder().encode(text))).toThrow(EngineStateUnreadable);
  });

  it('tells a version that it does not know from damage', () => {
    const read = (version: number) => () => decodeState(new TextEncoder().encode(JSON.stringify({ version })));
    expect(read(99)).toThrow(EngineStateUnknown);
    for (const version of STATE_VERSIONS.read) expect(read(version)).not.toThrow(EngineStateUnknown);
  });

  it('writes only versions that it reads, so that a run can continue at any replica of its release', () => {
    expect(STATE_VERSIONS.read).toContain(STATE_VERSIONS.written);
  });

  it('continues from a state that the previous release stored', () => {
    // Stored text: it stays as it is when the state gets a new version, for as long as that version is read.
    const stored =
      '{"version":1,"executionIndex":2,"ready":[{"node":"B","sources":[{"previousNode":"A","previousNodeOutput":1}]},' +
      '{"node":"W","sources":[null],"waited":true,"since":7}],"waiting":[{"node":"J",' +
      '"arrived":[[{"previousNode":"A"}],[]]}],"memories":{"L":{"items":[1]}},"lastNode":"A"}';
    expect(decodeState(new TextEncoder().encode(stored))).toEqual({
      version: STATE_VERSIONS.written,
      executionIndex: 2,
      ready: [
        { node: 'B', sources: [{ previousNode: 'A', previousNodeOutput: 1 }] },
        { node: 'W', sources: [null], waited: true, since: 7 },
      ],
      waiting: [{ node: 'J', arrived: [[{ previousNode: 'A' }], []] }],
      memories: { L: { items: [1] } },
      lastNode: 'A',
    });
  });

  it('reads back what encodeState wrote', () => {
    const state = {
      ...initialState('S'),
      executionIndex: 7,
      lastNode: 'B',
      memories: { L: { items: [1] } },
      ready: [
        { node: 'A', sources: [{ previousNode: 'S', previousNodeRun: 2 }, null] },
        { node: 'W', sources: [], waited: true as const, since: 7 },
      ],
      waiting: [{ node: 'J', arrived: [[{ previousNode: 'A', previousNodeOutput: 1 }], []] }],
    };
    expect(decodeState(encodeState(state))).toEqual(state);
  });
});
