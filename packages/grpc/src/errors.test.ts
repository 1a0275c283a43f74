import { Metadata } from '@grpc/grpc-js';
import { BadRequest, ErrorInfo, RetryInfo } from '@weft/proto/error-details';
import { Status } from '@weft/proto/rpc-status';
import { detailsOf, reasonOf } from './index.js';

const any = (type: string, value: Uint8Array) => ({
  typeUrl: `type.googleapis.com/google.rpc.${type}`,
  value: Buffer.from(value),
});
const failure = (details: Status['details']): Error => {
  const metadata = new Metadata();
  metadata.set('grpc-status-details-bin', Buffer.from(Status.encode({ code: 3, message: '', details }).finish()));
  return Object.assign(new Error('refused'), { code: 3, metadata });
};
const info = (reason: string, metadata = {}) =>
  any('ErrorInfo', ErrorInfo.encode({ reason, domain: 'weft', metadata }).finish());

describe('the details of an error', () => {
  it('are its reason, ids, invalid fields and the time of a retry', () => {
    const fieldViolations = [{ field: 'definition.nodes', description: 'is required', reason: '' }];
    const error = failure([
      info('INVALID_REQUEST', { workflowId: 'w' }),
      any('BadRequest', BadRequest.encode({ fieldViolations }).finish()),
      any('RetryInfo', RetryInfo.encode({ retryDelay: { seconds: 2, nanos: 500_000_000 } }).finish()),
    ]);
    expect(detailsOf(error)).toEqual({
      reason: 'INVALID_REQUEST',
      metadata: { workflowId: 'w' },
      fields: [{ field: 'definition.nodes', message: 'is required' }],
      retryAfterMs: 2_500,
    });
    expect(reasonOf(error)).toBe('INVALID_REQUEST');
  });

  it('have no fields and no time where Weft gives none', () => {
    expect(detailsOf(failure([info('WORKFLOW_NOT_FOUND')]))).toMatchObject({ fields: [], retryAfterMs: undefined });
  });

  it.each([
    ['of the transport', Object.assign(new Error('14 UNAVAILABLE'), { code: 14, metadata: new Metadata() })],
    ['without ErrorInfo', failure([])],
    ['of another kind', new TypeError('no error of gRPC')],
    ['that is not an object', 'text'],
  ])('are undefined for an error %s', (_, error) => {
    expect(reasonOf(error)).toBeUndefined();
  });
});
