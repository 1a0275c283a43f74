import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { childrenOf } from '../../support/processes/child-processes';
import { callWebhook, restClient } from '../../support/rest';
import { makeUser } from '../../support/users';
import { chain, node, smallWorkflow } from '../../support/workflows';

/** Takes the thread for about fifty milliseconds: a long turn. */
const INNER = "[...'y'.repeat(40)].map((_, m) => (n * m + n - m) % 7 + (n + m) % 11).length";
const BUSY = `={{ [...'x'.repeat(4000)].map((_, n) => ${INNER}).length }}`;
/** Each field of an item is one turn; one run alone is too short to put its owner over its share. */
const FIELDS = ['a', 'b', 'c'];
const ITEMS = 2;
const MAX_RUNS = 60;

describe('an owner each of whose runs has the thread for less than too long', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await borrowStack();
  });
  afterAll(() => giveStackBack(stack));

  it('is moved off it by the sum of them next to another owner, whose calls are answered all the time', async () => {
    const [base = ''] = stack.baseUrls;
    const theirs = restClient(base, await makeUser(stack, 'long-turns', 'editor'));
    const busy = chain('busy', [
      node('Hook', 'webhook', 2, 0, { httpMethod: 'POST', path: 'busy', responseMode: 'lastNode' }),
      node('Many', 'set', 3.4, 200, {
        mode: 'raw',
        jsonOutput: `={{ { list: [...'x'.repeat(${ITEMS})] } }}`,
        options: {},
      }),
      node('Each', 'splitOut', 1, 400, { fieldToSplitOut: 'list', options: {} }),
      node('Busy', 'set', 3.4, 600, {
        mode: 'manual',
        options: {},
        assignments: { assignments: FIELDS.map((name) => ({ id: name, name, type: 'number', value: BUSY })) },
      }),
    ]);
    await theirs('POST', '/workflows', { ...busy, active: true });
    const ours = restClient(base, stack.apiKey);
    await ours('POST', '/workflows', { ...smallWorkflow('beside', { responseMode: 'lastNode' }), active: true });
    const [runner] = stack.of('runner');
    const isMoved = (): boolean => childrenOf(runner?.pid ?? 0, 'over-share/main.js').length > 0;
    const found = JSON.stringify(Object.fromEntries(FIELDS.map((name) => [name, 4_000])));
    let runs = 0;
    for (; runs < MAX_RUNS && !isMoved(); runs += 1) {
      const [own, other] = await Promise.all([callWebhook(base, 'busy', {}), callWebhook(base, 'beside', { n: runs })]);
      expect([own.status, own.text]).toEqual([200, found]);
      expect([other.status, other.text]).toEqual([200, `{"total":${runs + 1}}`]);
    }
    expect([isMoved(), runs > 1]).toEqual([true, true]);
    expect((await callWebhook(base, 'busy', {})).text).toBe(found);
  });
});
