import { Metadata, status as GrpcCode } from '@grpc/grpc-js';
import { fromGrpcError } from './error-status';

const failure = (code: GrpcCode, details: string) =>
  Object.assign(new Error(details), { code, details, metadata: new Metadata() });

describe('the error of a call that its peer has not answered', () => {
  it.each<[string, GrpcCode, string]>([
    ['could not be sent', GrpcCode.UNAVAILABLE, 'No connection established.'],
    ['was reset by a server that is forced to stop', GrpcCode.CANCELLED, 'Call cancelled'],
    [
      'lost its connection without an error of HTTP/2',
      GrpcCode.INTERNAL,
      'Received RST_STREAM with code 0 (Call ended without gRPC status)',
    ],
  ])('says that the service is unavailable if it %s', (_, code, details) => {
    expect(fromGrpcError(failure(code, details), 'executions')).toMatchObject({ kind: 'unavailable' });
  });

  it('is internal if the answer could not be read', () => {
    const error = failure(GrpcCode.INTERNAL, 'Response message parsing error');
    expect(fromGrpcError(error, 'executions')).toMatchObject({ kind: 'internal' });
  });
});
