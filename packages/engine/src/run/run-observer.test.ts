import { createHash } from 'node:crypto';
import type { RunNode } from '../node/node';
import { NodeFailure } from '../node/node-failure';
import { pass, runTest } from '../testing/run-test-workflow';

describe('the report after a node run', () => {
  it('marks runs that may have been seen from outside', async () => {
    const outside = { run: pass, actsOutside: true };
    const result = await runTest({
      executors: { pass, outside },
      nodes: [
        ['S', 'pass'],
        ['O', 'outside'],
        ['D', 'outside', { disabled: true }],
        ['P', 'outside'],
      ],
      links: ['S>O', 'O>D', 'D>P'],
      definition: { pinData: { P: [{}] } },
    });
    expect(result.events.map((event) => [event.node, event.actsOutside])).toEqual([
      ['S', false],
      ['O', true],
      ['D', false],
      ['P', false],
    ]);
  });

  it('is sent for a failed node too', async () => {
    const boom: RunNode = () => {
      throw new NodeFailure('no');
    };
    const { events } = await runTest({ executors: { boom }, nodes: [['S', 'boom']], links: [] });
    expect(events.map((event) => event.record.executionStatus)).toEqual(['error']);
  });

  it('answers the caller before the run continues', async () => {
    const seen: string[] = [];
    const reply: RunNode = (context) => ({
      kind: 'respond',
      response: { status: 201, headers: {}, body: 'hi' },
      outputs: [context.items],
    });
    const note: RunNode = (context) => {
      seen.push('next');
      return pass(context);
    };
    await runTest({
      executors: { reply, note },
      nodes: [
        ['S', 'reply'],
        ['N', 'note'],
      ],
      links: ['S>N'],
      respond: async (answer) => {
        seen.push(String(answer.body));
        return true;
      },
    });
    expect(seen).toEqual(['hi', 'next']);
  });
});

describe('an answer that contains the address of its run', () => {
  const answering = async (publicUrl?: string) => {
    const hashes: (string | undefined)[] = [];
    const reply: RunNode = (context) => ({
      kind: 'respond',
      response: { status: 200, headers: {}, body: String(context.scope(0).execution.resumeUrl) },
      outputs: [],
    });
    await runTest({
      executors: { reply },
      nodes: [['S', 'reply']],
      links: [],
      ...(publicUrl === undefined ? {} : { publicUrl }),
      respond: async ({ body }, tokenHash) => {
        hashes.push(
          tokenHash,
          createHash('sha256')
            .update(String(body).split('/').at(-1) ?? '')
            .digest('hex'),
        );
        return true;
      },
    });
    return hashes;
  };

  it('goes with the hash of its token, so that a caller may be faster than the run', async () => {
    const [told, given] = await answering('http://weft.example');
    expect(told).toBe(given);
    expect((await answering())[0]).toBeUndefined();
  });
});
