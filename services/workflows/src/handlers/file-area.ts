import type { AreaFile as AreaFileMessage, FileAreaServiceService, WriteFileRequest } from '@weft/proto/file-area';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { Handlers } from '@weft/service-kit/grpc';
import { scopedTo } from '@weft/service-kit/visibility';
import type { Within } from '../compose';
import type { Claim } from '../domain/versions/claims';
import { ClaimLost } from '../domain/errors';
import type { AreaFile } from '../domain/file-area/file-area';
import type { FileUseCases } from '../domain/file-area/files';
import { userOf } from './access';

const toFileMessage = ({ path, bytes, updatedAt }: AreaFile): AreaFileMessage => ({ path, bytes, updatedAt });

const claimOf = (claim: Claim | undefined): Claim => {
  if (claim === undefined) throw new ClaimLost('');
  return claim;
};

async function* dataOf(first: Buffer, rest: AsyncIterator<WriteFileRequest>): AsyncGenerator<Buffer> {
  yield first;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value.data;
}

/** FileAreaService over gRPC. */
export const fileAreaHandlers = (
  useCases: Within & { readonly ofRuns: FileUseCases },
): Handlers<typeof FileAreaServiceService> => ({
  listFiles: async ({ area }, context) => {
    const files =
      area?.$case === 'workflowId'
        ? await (await scopedTo(useCases, context)).listFiles(area.value, userOf(context))
        : await useCases.ofRuns.listFilesOfRun(claimOf(context.principal === undefined ? area?.value : undefined));
    return { files: files.map(toFileMessage) };
  },
  readFile: async function* readFile({ claim, path }) {
    for await (const data of useCases.ofRuns.readFile(claimOf(claim), path)) yield { data };
  },
  writeFile: async (requests) => {
    const messages = requests[Symbol.asyncIterator]();
    const first = await messages.next();
    if (first.done === true) throw new InvalidRequest('The upload is empty.');
    const { claim, data, ...write } = first.value;
    return { bytes: await useCases.ofRuns.writeFile(claimOf(claim), write, dataOf(data, messages)) };
  },
  deleteFile: async ({ workflowId, path }, context) => {
    await (await scopedTo(useCases, context)).deleteFile(workflowId, path, userOf(context));
    return {};
  },
});
