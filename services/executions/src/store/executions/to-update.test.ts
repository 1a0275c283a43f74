import {
  assignSlotWrite,
  cancelWrite,
  completeHookWrite,
  postponeHookWrite,
  timeOutWrite,
} from '../../domain/state/free-writes';
import { checkpointWrite, claimWrite, heartbeatWrite, renewClaimWrite } from '../../domain/state/run-writes';
import { freeWrite } from '../../domain/state/write';
import { toArrayFilters, toFilter, toFilterOfMany, toUpdate } from './to-update';

const NOW = new Date('2026-03-01T10:00:00Z');
const LATER = new Date('2026-03-01T10:01:00Z');
const stamp = { claimId: 'c', attempt: 2, runnerId: 'r', isolated: false, engineStateVersions: [1] };
const segment = { fence: 3, encoding: 'plain', rawBytes: 2, totalBytes: 5, count: 1, runs: '[]' } as const;

describe('the filter of a write', () => {
  it('requires the state, the fence and equal values', () => {
    expect(toFilter('e', assignSlotWrite(3, 's'))).toEqual({ _id: 'e', state: 'running', fence: 3 });
    expect(toFilter('e', heartbeatWrite(4, NOW, 1_000))).toEqual({ _id: 'e', state: 'running', fence: 4 });
  });

  it('has each comparison as an operator', () => {
    const until: unknown = expect.any(Date);
    expect(toFilter('e', claimWrite(stamp, NOW, 1_000))).toEqual({
      _id: 'e',
      state: 'queued',
      notBefore: { $not: { $gt: NOW, $lte: until } },
      runsAlone: { $exists: false },
      waitsForSlotId: { $exists: false },
      engineStateVersion: { $in: [null, 1] },
    });
    expect(toFilter('e', renewClaimWrite(stamp, NOW, 1_000))).toMatchObject({ 'lease.attempt': { $lte: 2 } });
    expect(toFilter('e', timeOutWrite(NOW, 0))).toMatchObject({
      state: { $in: ['queued', 'running', 'waiting'] },
      deadlineAt: { $lt: NOW },
    });
  });

  it('selects several executions at once', () => {
    expect(toFilterOfMany(['a', 'b'], renewClaimWrite(stamp, NOW, 1_000))).toEqual({
      _id: { $in: ['a', 'b'] },
      state: 'running',
      claimId: 'c',
      'lease.attempt': { $lte: 2 },
    });
  });

  it('leaves the write unchanged, so that it can be sent again', () => {
    const write = timeOutWrite(NOW, 0);
    toFilter('e', write);
    expect(write.where['deadlineAt']).toEqual({ is: 'before', time: NOW });
  });
});

describe('the update of a write', () => {
  it('sets, removes, counts and appends, and contains the batch id', () => {
    expect(
      toUpdate(
        checkpointWrite(3, 5, { segments: [segment], engineState: { version: 2, chunk: '3.x' }, lastNode: 'N' }),
        'batch',
      ),
    ).toEqual({
      $set: {
        checkpoint: 5,
        lastNode: 'N',
        engineStateChunk: '3.x',
        engineStateVersion: 2,
        actedFence: 3,
        batchId: 'batch',
      },
      $unset: { resume: '', engineState: '' },
      $inc: { nodeRunCount: 1, dataBytes: 5, inlineBytes: 2 },
      $push: { manifest: { $each: [segment] } },
    });
  });

  it('appends each value of an array', () => {
    const logged = { segments: [{ reference: '3.a', count: 1 }], count: 1, totalBytes: 5, after: 4 };
    expect(toUpdate(checkpointWrite(3, 5, { logged }), 'batch')).toMatchObject({
      $set: { manifest: [], inlineBytes: 0 },
      $push: { log: { $each: logged.segments } },
    });
  });

  it('raises the fence and lowers a time only where the write does', () => {
    const update = toUpdate(claimWrite(stamp, NOW, 60_000), 'batch');
    expect(update).toMatchObject({ $set: { state: 'running', status: 'running' }, $inc: { fence: 1 } });
    expect(update).toMatchObject({ $min: { startedAt: NOW } });
  });

  it('has no empty operators', () => {
    expect(toUpdate(freeWrite('updateEnded', { append: {}, lower: {}, removeElements: {} }), 'batch')).toEqual({
      $set: { batchId: 'batch' },
    });
  });

  it('changes the array elements that an array filter selects', () => {
    const action = { kind: 'resume-parent', target: 'p', when: 'end' } as const;
    const postponed = postponeHookWrite(action, LATER);
    expect(toUpdate(postponed, 'batch')).toEqual({
      $set: { 'postRunActions.$[element].due': LATER, 'postRunActions.$[element].tries': 1, batchId: 'batch' },
    });
    expect(toArrayFilters(postponed)).toEqual([{ 'element.kind': 'resume-parent', 'element.target': 'p' }]);
    expect(toArrayFilters(cancelWrite(NOW, 0))).toEqual([{ 'element.when': { $in: ['end', 'stop'] } }]);
    expect(toArrayFilters(heartbeatWrite(3, NOW, 1_000))).toBeUndefined();
  });

  it('removes the selected elements of an array', () => {
    const action = { kind: 'resume-parent', target: 'p', when: 'end' } as const;
    expect(toUpdate(completeHookWrite(action), 'batch')).toMatchObject({
      $pull: { postRunActions: { kind: 'resume-parent', target: 'p' } },
    });
  });
});
