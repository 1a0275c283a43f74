import { FileAreaServiceService, type WriteFileRequest } from '@weft/proto/file-area';
import type { TokenSigner } from '@weft/service-kit/auth';
import { ServiceError } from '@weft/service-kit/errors';
import { createCaller, type Calls } from '@weft/service-kit/grpc';
import type { AreaWrite, FileArea } from '@weft/engine';
import type { Fenced } from '../domain/claims/held/execution-store';

/** The runner's client of the workflows service for file areas. */
export interface FileAreaClient {
  /**
   * The file area of one run's workflow: every call carries its claim and may be repeated. Methods throw ServiceError.
   */
  readonly of: (claim: Fenced) => FileArea;
  readonly close: () => void;
}

const PIECE_BYTES = 256 * 1024;
const DEADLINE_MS = 30_000;

/** A file may be empty, but an upload has at least one message. */
const piecesOf = (claim: Fenced, { bytes, operation, seq, ...write }: AreaWrite): WriteFileRequest[] =>
  Array.from({ length: Math.max(1, Math.ceil(bytes.length / PIECE_BYTES)) }, (_, index) => ({
    claim,
    ...write,
    operationId: operation,
    operationSeq: seq,
    data: Buffer.from(bytes.subarray(index * PIECE_BYTES, (index + 1) * PIECE_BYTES)),
  }));

const read = async (
  calls: Calls<typeof FileAreaServiceService>,
  claim: Fenced,
  path: string,
): Promise<Uint8Array | undefined> => {
  const pieces: Buffer[] = [];
  try {
    for await (const { data } of calls.readFile({ claim, path }, { deadlineMs: DEADLINE_MS })) pieces.push(data);
  } catch (error) {
    if (error instanceof ServiceError && error.reason === 'FILE_NOT_FOUND') return undefined;
    throw error;
  }
  return Buffer.concat(pieces);
};

/** Client of file areas over gRPC. */
export const createFileAreaClient = (target: string, sign: TokenSigner): FileAreaClient => {
  const { calls, close } = createCaller(FileAreaServiceService, {
    service: 'workflows',
    target,
    sign,
    retried: ['listFiles'],
    background: true,
  });
  return {
    close,
    of: ({ executionId, fence }) => {
      const claim = { executionId, fence };
      return {
        list: async () =>
          (await calls.listFiles({ area: { $case: 'claim', value: claim } })).files.map(({ path, bytes }) => ({
            path,
            size: bytes,
          })),
        read: (path) => read(calls, claim, path),
        write: async (write) => {
          await calls.writeFile(piecesOf(claim, write), { deadlineMs: DEADLINE_MS });
        },
      };
    },
  };
};
