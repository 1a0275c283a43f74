import { Client, credentials } from '@grpc/grpc-js';
import { loadFileDescriptorSetFromBuffer, loadSync } from '@grpc/proto-loader';
import { RunnerServiceService } from '@weft/proto/runner';
import { ServiceError } from '../src/errors';
import { bindService, startGrpcServer, type GrpcServer } from '../src/grpc';
import { closeAfterEach, testLogger } from '../src/testing';

interface Answer {
  readonly fileDescriptorResponse?: { readonly fileDescriptorProto: readonly Buffer[] };
}
interface Method {
  readonly path: string;
  requestSerialize(value: object): Buffer;
  responseDeserialize(bytes: Buffer): object;
}

const isMethod = (value: unknown): value is Method =>
  typeof value === 'object' && value !== null && 'requestSerialize' in value;

const methodOf = (version: string): Method => {
  const file = require.resolve(`@grpc/reflection/build/proto/grpc/reflection/${version}/reflection.proto`);
  const method: unknown = Reflect.get(
    loadSync(file, { oneofs: true })[`grpc.reflection.${version}.ServerReflection`] ?? {},
    'ServerReflectionInfo',
  );
  if (!isMethod(method)) throw new Error('The reflection service has no method.');
  return method;
};

/** A file as an entry of a google.protobuf.FileDescriptorSet. */
const entryOf = (file: Buffer): Buffer => {
  const length: number[] = [];
  for (let rest = file.length; ; rest >>>= 7) {
    length.push(rest > 127 ? (rest & 127) | 128 : rest);
    if (rest <= 127) break;
  }
  return Buffer.concat([Buffer.from([10, ...length]), file]);
};

describe('reflection', () => {
  const later = closeAfterEach();
  let server: GrpcServer;
  const refuse = () => {
    throw new ServiceError({ reason: 'NOT_USED', kind: 'internal', message: 'not used' });
  };
  const handlers = {
    claim: refuse,
    heartbeat: refuse,
    persist: refuse,
    checkpoint: refuse,
    report: refuse,
    respond: refuse,
    wait: refuse,
    release: refuse,
    startChild: refuse,
    acquireSlot: refuse,
    findFirstResult: refuse,
    countModelTokens: refuse,
    endRunner: refuse,
    putChunk: refuse,
    getChunk: refuse,
    readNodeRuns: refuse,
  };
  const rule = {};
  const access = {
    claim: rule,
    heartbeat: rule,
    persist: rule,
    checkpoint: rule,
    report: rule,
    respond: rule,
    wait: rule,
    release: rule,
    startChild: rule,
    acquireSlot: rule,
    findFirstResult: rule,
    countModelTokens: rule,
    endRunner: rule,
    putChunk: rule,
    getChunk: rule,
    readNodeRuns: rule,
  };

  beforeAll(async () => {
    server = await startGrpcServer({
      host: '127.0.0.1',
      port: 0,
      services: [bindService(RunnerServiceService, handlers, access)],
      logger: testLogger(),
      reflection: true,
      authentication: { verifyToken: refuse, verifyUser: refuse, trustedCallers: [] },
      checkReady: () => Promise.resolve(true),
      checkLive: () => true,
    });
  });
  afterAll(() => server.stop(100));

  it.each(['v1', 'v1alpha'])(
    'returns everything a client needs to read a service and its imports (%s)',
    async (version) => {
      const { path, requestSerialize, responseDeserialize } = methodOf(version);
      const client = later(new Client(`127.0.0.1:${server.port}`, credentials.createInsecure()), (open) =>
        open.close(),
      );
      const stream = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, {
        deadline: Date.now() + 5_000,
      });
      stream.end({ fileContainingSymbol: 'weft.runner.v1.RunnerService' });
      const files: Buffer[] = [];
      for await (const answer of stream) {
        const { fileDescriptorResponse }: Answer = answer;
        files.push(...(fileDescriptorResponse?.fileDescriptorProto ?? []));
      }
      // Loading resolves the type of every field, and throws if one is missing.
      const loaded = loadFileDescriptorSetFromBuffer(Buffer.concat(files.map(entryOf)));
      expect(Object.keys(loaded)).toEqual(
        expect.arrayContaining([
          'weft.runner.v1.RunnerService',
          'weft.executions.v1.Execution',
          'google.protobuf.Timestamp',
        ]),
      );
    },
  );
});
