import { uuidv7 } from '@weft/service-kit/ids';
import { connectDatabase } from '@weft/service-kit/mongo';
import { closeAfterEach, testMongodbUri } from '@weft/service-kit/testing';
import { fileAreaModel, fileChunkModel, type FileAreaDocument } from '../../src/store/file-area-store';
import { webhook, workflowOf } from '../support/definitions';
import { startService, type TestService } from '../support/start-service';

const MIB = 1024 * 1024;

describe('the file area of a workflow', () => {
  const later = closeAfterEach();
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  let paths = 0;
  const createWorkflow = async (owner = 'u1'): Promise<string> => {
    paths += 1;
    const definition = workflowOf([webhook(`files-${paths}`)]);
    return (await service.gateway.createWorkflow(definition, service.as(owner, 'editor'))).workflow?.id ?? '';
  };
  const claimOn = (workflowId: string, fence = 1, ownerId = 'u1') => {
    const executionId = uuidv7();
    service.executions.setClaim(executionId, { fence, workflowId, ownerId });
    return { executionId, fence };
  };
  const claimed = async (owner = 'u1') => {
    const workflowId = await createWorkflow(owner);
    return { workflowId, claim: claimOn(workflowId, 1, owner) };
  };
  type Claim = ReturnType<typeof claimOn>;
  interface Write {
    readonly append?: boolean;
    readonly operationId?: string;
    readonly operationSeq?: number;
  }
  const write = (claim: Claim, path: string, content: string | Buffer, over: Write = {}, calls = service.files) => {
    const head = { claim, path, append: false, operationId: uuidv7(), operationSeq: 0, ...over };
    const bytes = Buffer.from(content);
    const pieces = Array.from({ length: Math.max(1, Math.ceil(bytes.length / MIB)) }, (_, index) => ({
      ...head,
      data: bytes.subarray(index * MIB, (index + 1) * MIB),
    }));
    return calls.writeFile(pieces);
  };
  const read = async (claim: Claim, path: string): Promise<Buffer> => {
    const pieces: Buffer[] = [];
    for await (const { data } of service.files.readFile({ claim, path })) pieces.push(data);
    return Buffer.concat(pieces);
  };
  const readText = async (claim: Claim, path: string): Promise<string> => (await read(claim, path)).toString();
  const listOf = async (claim: Claim) =>
    (await service.files.listFiles({ area: { $case: 'claim', value: claim } })).files.map(
      ({ path, bytes }) => `${path} ${bytes}`,
    );
  const chunksOf = async (workflowId: string): Promise<number> => {
    const database = later(await connectDatabase(testMongodbUri(), service.database), (open) => open.close());
    return fileChunkModel(database.connection).countDocuments({ workflowId });
  };

  it('returns what a run has written to every run of the workflow and no other', async () => {
    const { workflowId, claim } = await claimed();
    await write(claim, 'data/x.csv', 'a,b');
    await write(claim, 'empty', '');
    const other = claimOn(workflowId, 7);
    expect(await readText(other, 'data/x.csv')).toBe('a,b');
    expect(await readText(other, 'empty')).toBe('');
    expect(await listOf(other)).toEqual(['data/x.csv 3', 'empty 0']);
    const stranger = (await claimed()).claim;
    expect(await listOf(stranger)).toEqual([]);
    await expect(read(stranger, 'data/x.csv')).rejects.toMatchObject({
      reason: 'FILE_NOT_FOUND',
      details: { path: 'data/x.csv' },
    });
  });

  it('returns large content as it was written, and drops replaced content', async () => {
    const { workflowId, claim } = await claimed();
    const large = Buffer.alloc(3 * MIB + 17, 'weft');
    await write(claim, 'x', large);
    expect((await read(claim, 'x')).equals(large)).toBe(true);
    expect(await chunksOf(workflowId)).toBe(4);
    await write(claim, 'x', 'small');
    expect(await readText(claim, 'x')).toBe('small');
    expect(await chunksOf(workflowId)).toBe(1);
  });

  it('appends in order, and stores many small additions in few chunks', async () => {
    const { workflowId, claim } = await claimed();
    for (let line = 0; line < 20; line += 1) await write(claim, 'log', `${line}\n`, { append: true });
    expect(await readText(claim, 'log')).toBe(Array.from({ length: 20 }, (_, line) => `${line}\n`).join(''));
    expect(await chunksOf(workflowId)).toBe(1);
    await write(claim, 'log', Buffer.alloc(MIB), { append: true });
    expect((await read(claim, 'log')).length).toBe(MIB + 50);
  });

  it('applies a repeated write once', async () => {
    const { workflowId, claim } = await claimed();
    const once = { append: true, operationId: 'run-1', operationSeq: 4 };
    await write(claim, 'log', 'a', once);
    await write(claimOn(workflowId), 'log', 'b', { append: true });
    expect(await write(claim, 'log', 'a', once)).toEqual({ bytes: 2 });
    await write(claim, 'log', 'earlier', { ...once, operationSeq: 3 });
    await write(claim, 'log', 'c', { ...once, operationSeq: 5 });
    expect(await readText(claim, 'log')).toBe('abc');
  });

  it('ends with the complete content of one of several concurrent writers', async () => {
    const { workflowId, claim } = await claimed();
    const contents = ['a', 'b', 'c', 'd'].map((letter) => Buffer.alloc(2 * MIB + 1, letter));
    await Promise.all(contents.map((content) => write(claimOn(workflowId), 'x', content)));
    const found = await read(claim, 'x');
    expect(contents.some((content) => content.equals(found))).toBe(true);
    expect(await chunksOf(workflowId)).toBe(3);
  });

  it('loses nothing when many append concurrently at two replicas', async () => {
    const { workflowId, claim } = await claimed();
    const replicas = [service.files, await service.addFileReplica()];
    const lines = Array.from({ length: 16 }, (_, index) => `${index}\n`);
    await Promise.all(
      lines.map((line, index) =>
        write(claimOn(workflowId), 'log', line, { append: true }, replicas[index % replicas.length]),
      ),
    );
    const found = (await readText(claim, 'log')).split('\n');
    expect(found.sort()).toEqual([...lines.map((line) => line.trim()), ''].sort());
    expect(await chunksOf(workflowId)).toBe(1);
  });

  it('refuses everything without a valid claim', async () => {
    const { claim } = await claimed();
    await write(claim, 'x', 'mine');
    service.executions.setClaim(claim.executionId, { fence: 2, workflowId: 'w' });
    for (const stale of [claim, { executionId: 'none', fence: 1 }]) {
      await expect(write(stale, 'x', 'zombie')).rejects.toMatchObject({ reason: 'CLAIM_LOST' });
      await expect(read(stale, 'x')).rejects.toMatchObject({ reason: 'CLAIM_LOST' });
      await expect(listOf(stale)).rejects.toMatchObject({ reason: 'CLAIM_LOST' });
    }
  });

  it.each(['', '/x', 'x/', 'a//b', '../x', 'a/../b', './x', 'a\u0000b', 'a\nb'])(
    'refuses the path %j',
    async (path) => {
      const { claim } = await claimed();
      await expect(write(claim, path, 'x')).rejects.toMatchObject({
        reason: 'INVALID_REQUEST',
        fields: [{ field: 'path' }],
      });
    },
  );

  it('refuses content that exceeds a limit, names the limit, and stores nothing', async () => {
    const { workflowId, claim } = await claimed();
    await expect(write(claim, 'x'.repeat(501), '')).rejects.toMatchObject({ details: { limit: 'WORKFLOW_FILE_PATH' } });
    await expect(write(claim, 'x', Buffer.alloc(32 * MIB + 1))).rejects.toMatchObject({
      reason: 'PAYLOAD_TOO_LARGE',
      details: { limit: 'FILE_BYTES' },
    });
    expect([await listOf(claim), await chunksOf(workflowId)]).toEqual([[], 0]);
  });

  const storeArea = async (area: Partial<FileAreaDocument> & { readonly _id: string }): Promise<void> => {
    const database = later(await connectDatabase(testMongodbUri(), service.database), (open) => open.close());
    const empty = { ownerId: 'mallory', version: 1, bytes: 0, files: [], operations: [] };
    await fileAreaModel(database.connection).create({ ...empty, ...area });
  };
  const storedFile = (path: string, bytes: number) => ({ path, bytes, chunks: [], updatedAt: new Date() });

  it('does not affect other workflows when it is full', async () => {
    const [large, many, healthy] = [await claimed('mallory'), await claimed('mallory'), await claimed('alice')];
    const files = [0, 1, 2, 3].map((n) => storedFile(`f${n}`, 32 * MIB));
    await storeArea({ _id: large.workflowId, bytes: 128 * MIB, files });
    await storeArea({ _id: many.workflowId, files: Array.from({ length: 500 }, (_, n) => storedFile(`f${n}`, 0)) });
    await expect(write(large.claim, 'x', 'x')).rejects.toMatchObject({ details: { limit: 'WORKFLOW_FILE_BYTES' } });
    await expect(write(large.claim, 'f3', 'x', { append: true })).rejects.toMatchObject({
      details: { limit: 'FILE_BYTES' },
    });
    await expect(write(many.claim, 'x', '')).rejects.toMatchObject({ details: { limit: 'WORKFLOW_FILES' } });
    await write(healthy.claim, 'x', 'fine');
    expect(await readText(healthy.claim, 'x')).toBe('fine');
    await write(large.claim, 'f0', '');
    await write(large.claim, 'x', 'x');
    expect(await readText(large.claim, 'x')).toBe('x');
  });

  it('is bounded for all workflows of a user together', async () => {
    await storeArea({ _id: uuidv7(), ownerId: 'rich', bytes: 1024 * MIB - 2 });
    const { claim } = await claimed('rich');
    await write(claim, 'x', '12');
    await expect(write(claim, 'x', '123')).rejects.toMatchObject({ details: { limit: 'OWNER_FILE_BYTES' } });
    expect(await readText(claim, 'x')).toBe('12');
    await write((await claimed('poor')).claim, 'x', '123');
  });

  it('is bounded for all workflows of a project together, regardless of their creators', async () => {
    const project = uuidv7();
    service.destinations.add(project);
    const claimBy = async (userId: string) => {
      paths += 1;
      const { workflow } = await service.gateway.createWorkflow(
        { ...workflowOf([webhook(`files-${paths}`)]), projectId: project },
        service.as(userId, 'editor', project),
      );
      return claimOn(workflow?.id ?? '', 1, project);
    };
    await storeArea({ _id: uuidv7(), ownerId: project, bytes: 1024 * MIB - 4 });
    const [ada, bob] = [await claimBy('ada'), await claimBy('bob')];
    await write(ada, 'x', '12');
    await write(bob, 'x', '34');
    for (const claim of [ada, bob])
      await expect(write(claim, 'y', '5')).rejects.toMatchObject({ details: { limit: 'OWNER_FILE_BYTES' } });
    // Workflows owned by a member count for the member.
    await write((await claimed('ada')).claim, 'y', '5');
  });

  it('counts for the user who takes over the workflows of another', async () => {
    const [fromOwnerId, toOwnerId] = [uuidv7(), uuidv7()];
    await storeArea({ _id: uuidv7(), ownerId: fromOwnerId, bytes: 1024 * MIB - 2 });
    const { claim } = await claimed(toOwnerId);
    await write(claim, 'x', '12');
    await service.ownership.transferOwnership({ fromOwnerId, toOwnerId });
    await expect(write(claim, 'y', '123')).rejects.toMatchObject({ details: { limit: 'OWNER_FILE_BYTES' } });
  });

  it('removes the chunks of an old interrupted write at the next write', async () => {
    const { workflowId, claim } = await claimed();
    const database = later(await connectDatabase(testMongodbUri(), service.database), (open) => open.close());
    const chunk = (createdAt: Date) => ({ _id: uuidv7(), workflowId, bytes: Buffer.alloc(9), createdAt });
    await fileChunkModel(database.connection).create([chunk(new Date(0)), chunk(new Date())]);
    await write(claim, 'x', 'kept');
    expect(await chunksOf(workflowId)).toBe(2);
    expect(await readText(claim, 'x')).toBe('kept');
  });

  it('is shown to its owner and to admins, who may delete files', async () => {
    const { workflowId, claim } = await claimed();
    await write(claim, 'a', '1');
    await write(claim, 'b', '22');
    const list = (user: string, role: 'editor' | 'admin') =>
      service.filesForUsers.listFiles({ area: { $case: 'workflowId', value: workflowId } }, service.as(user, role));
    expect((await list('u1', 'editor')).files.map(({ path }) => path)).toEqual(['a', 'b']);
    expect((await list('u9', 'admin')).files).toHaveLength(2);
    await expect(list('u2', 'editor')).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    const remove = (user: string) =>
      service.filesForUsers.deleteFile({ workflowId, path: 'a' }, service.as(user, 'editor'));
    await expect(remove('u2')).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await remove('u1');
    expect([await listOf(claim), await chunksOf(workflowId)]).toEqual([['b 2'], 1]);
    await expect(remove('u1')).rejects.toMatchObject({ reason: 'FILE_NOT_FOUND' });
    await expect(
      service.filesForUsers.listFiles({ area: { $case: 'claim', value: claim } }, service.as('u1', 'editor')),
    ).rejects.toMatchObject({ reason: 'CLAIM_LOST' });
  });

  it('is deleted with its workflow, and stays deleted', async () => {
    const { workflowId, claim } = await claimed();
    await write(claim, 'x', 'gone');
    await service.gateway.deleteWorkflow({ workflowId, ifEtags: [] }, service.as('u1', 'editor'));
    expect(await listOf(claim)).toEqual([]);
    await expect(write(claim, 'x', 'ghost')).rejects.toMatchObject({ reason: 'WORKFLOW_NOT_FOUND' });
    expect([await listOf(claim), await chunksOf(workflowId)]).toEqual([[], 0]);
  });
});
