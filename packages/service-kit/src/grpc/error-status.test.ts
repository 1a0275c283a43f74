import { Metadata, status as GrpcCode } from '@grpc/grpc-js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ErrorKind } from '../errors';
import { codeOf, fromGrpcError } from './error-status';

const failure = (code: GrpcCode, details: string) =>
  Object.assign(new Error(details), { code, details, metadata: new Metadata() });

describe('the error of an unanswered call', () => {
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

  it('is internal if the response could not be read', () => {
    const error = failure(GrpcCode.INTERNAL, 'Response message parsing error');
    expect(fromGrpcError(error, 'executions')).toMatchObject({ kind: 'internal' });
  });
});

describe('the gRPC page of the docs', () => {
  const KINDS: Readonly<Record<ErrorKind, true>> = {
    invalid: true,
    unauthenticated: true,
    forbidden: true,
    'not-found': true,
    conflict: true,
    precondition: true,
    limited: true,
    'too-large': true,
    unavailable: true,
    timeout: true,
    internal: true,
  };
  const isKind = (text: string): text is ErrorKind => Object.hasOwn(KINDS, text);

  it('has the code of every kind of error', () => {
    const page = readFileSync(join(__dirname, '../../../../../docs/grpc.md'), 'utf8');
    const rows = [...page.matchAll(/^\| ([\w-]+) \| ([A-Z_]+)(, with RetryInfo)? \|$/gm)];
    expect(rows.map(([, kind]) => kind).sort()).toEqual(Object.keys(KINDS).sort());
    for (const [, kind = '', code] of rows)
      if (isKind(kind)) expect([kind, GrpcCode[codeOf({ kind })]]).toEqual([kind, code]);
  });
});
