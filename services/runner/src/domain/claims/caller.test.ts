import { readDefinition } from '@weft/node-catalogue';
import { KIND_TABLE } from '@weft/nodes/descriptors';
import { callerSettings, withCaller, withNextCaller } from './caller';
import { decodeState, encodeState, initialState, prepareWorkflow, type Resume } from '@weft/engine';

const workflow = prepareWorkflow(
  readDefinition({
    name: 'w',
    nodes: [
      {
        name: 'Hook',
        type: 'x-nodes-base.webhook',
        typeVersion: 2,
        position: [0, 0],
        parameters: { path: 'p', responseMode: 'responseNode' },
      },
      {
        name: 'Server',
        type: '@n8n/n8n-nodes-langchain.mcpTrigger',
        typeVersion: 2,
        position: [0, 0],
        parameters: { path: 'p' },
      },
      { name: 'M', type: 'x-nodes-base.manualTrigger', typeVersion: 1, position: [0, 0], parameters: {} },
    ],
    connections: {},
  }),
  KIND_TABLE,
);
const NONE = new Uint8Array();
const started = { mode: 'webhook' as const, startNode: 'Hook', input: NONE };
const called: Resume = { kind: 'webhook', item: { json: {} } };
const stored = (state: ReturnType<typeof initialState>) => decodeState(encodeState(state));
const modeOf = (state: ReturnType<typeof initialState>, claimed: Parameters<typeof callerSettings>[0] = started) =>
  callerSettings(claimed, workflow, state)?.responseMode;

describe('the caller of a run', () => {
  it('is the caller of its webhook, until another one wakes it', () => {
    const state = initialState('Hook');
    expect(modeOf(state)).toBe('responseNode');
    expect(modeOf(withCaller(state, { kind: 'timer' }))).toBe('responseNode');
    expect(modeOf(state, { ...started, mode: 'manual' })).toBeUndefined();
    expect(modeOf(initialState('Server'), { ...started, startNode: 'Server' })).toBe('lastNode');
    expect(modeOf(state, { ...started, startNode: 'M' })).toBeUndefined();
  });

  it('is the test call of a manual run, but not the user who starts one with data', () => {
    const ofManual = (input: string) =>
      modeOf(initialState('Hook'), { ...started, mode: 'manual', input: Buffer.from(input) });
    expect(ofManual('[{"json":{}}]')).toBe('responseNode');
    expect(ofManual('{"a":[1]}')).toBeUndefined();
  });

  it('is then the one that woke it, with the rule of the wait, through timers and stored states', () => {
    const waiting = stored(withNextCaller(initialState('Hook'), { responseMode: 'lastNode' }));
    expect(modeOf(waiting)).toBe('responseNode');
    const woken = stored(withCaller(waiting, called));
    expect(modeOf(woken)).toBe('lastNode');
    expect(modeOf(withCaller(woken, { kind: 'timer' }))).toBe('lastNode');
    // A run that is released before it has stored anything gets the same resume event again.
    expect(modeOf(withCaller(woken, called))).toBe('lastNode');
    expect(modeOf(woken, { ...started, mode: 'manual', startNode: 'M' })).toBe('lastNode');
  });

  it('is absent if the wait has no response rule', () => {
    expect(modeOf(withCaller(stored(withNextCaller(initialState('Hook'), undefined)), called))).toBeUndefined();
  });
});
