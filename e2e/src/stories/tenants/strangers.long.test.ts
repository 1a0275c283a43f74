import { chaos, endChaos } from '../../support/processes/chaos';

/**
 * Length of a flood by strangers at full rate; stalled bodies end within ten seconds. docs/guides/chaos.md describes
 * the longer scenario.
 */
const MINUTES = '0.25';

describe('strangers at full rate next to a key', () => {
  afterAll(endChaos);

  // Nothing is timed: the checks are those of the scenario, such as refused requests of the key, and memory.
  it('are refused, take none of the answers of the key, and no process beyond the memory of its manifest', async () => {
    const { code, failed, text } = await chaos('--scenario', 'strangers', '--minutes', MINUTES);
    expect({ code, failed, report: code === 0 ? '' : text }).toEqual({ code: 0, failed: [], report: '' });
  });
});
