import { mayChange, type Principal } from '@weft/service-kit/auth';
import { isUuid } from '@weft/service-kit/ids';
import { requireClaim, type CheckClaim, type Claim } from '../versions/claims';
import type { SerialChanges } from '../workflows/change-workflow';
import { NotYourWorkflow, WorkflowBusy, WorkflowNotFound } from '../errors';
import type { ScopedWorkflows } from '../scoped-stores';
import { checkFileWrite, FileNotFound, fileAt, withoutFile, type AreaFile, type FileWrite } from './file-area';
import type { FileAreaStore } from './ports';
import { writeFile } from './write-file';

/** Use cases of file areas. Those with a claim access the workflow of the claimed execution. */
export interface FileUseCases {
  /** @throws ClaimLost */
  readonly listFilesOfRun: (claim: Claim) => Promise<readonly AreaFile[]>;
  /** @throws WorkflowNotFound, NotYourWorkflow */
  readonly listFiles: (workflowId: string, user: Principal) => Promise<readonly AreaFile[]>;
  /** The content as written by one writer. @throws ClaimLost, FileNotFound; WorkflowBusy if it is replaced meanwhile */
  readonly readFile: (claim: Claim, path: string) => AsyncGenerator<Buffer>;
  /**
   * @returns size of the file in bytes
   * @throws ClaimLost, InvalidRequest, LimitExceeded, WorkflowNotFound, WorkflowBusy
   */
  readonly writeFile: (claim: Claim, write: FileWrite, data: AsyncIterable<Buffer>) => Promise<number>;
  /** @throws WorkflowNotFound, NotYourWorkflow, FileNotFound, WorkflowBusy */
  readonly deleteFile: (workflowId: string, path: string, user: Principal) => Promise<void>;
}

/** Dependencies of the use cases. */
export interface FileDeps {
  readonly areas: FileAreaStore;
  readonly workflows: ScopedWorkflows;
  readonly checkClaim: CheckClaim;
  /** Serializes the writes of one area in this process. */
  readonly serial: Pick<SerialChanges, 'oneByOne'>;
}

const ATTEMPTS = 30;

/** Only users who may change the workflow may see the files, whose content may be secret. */
const requireWorkflow = async ({ workflows }: FileDeps, workflowId: string, user: Principal): Promise<void> => {
  const workflow = isUuid(workflowId) ? await workflows.find(workflowId) : undefined;
  if (workflow === undefined) throw new WorkflowNotFound(workflowId);
  if (!mayChange(user, workflow.ownerId)) throw new NotYourWorkflow(workflowId);
};

async function* readFile({ areas, checkClaim }: FileDeps, claim: Claim, path: string): AsyncGenerator<Buffer> {
  const { workflowId } = await requireClaim(checkClaim, claim);
  const file = fileAt(await areas.find(workflowId), path);
  if (file === undefined) throw new FileNotFound(path);
  for (const { id } of file.chunks) {
    const bytes = await areas.readChunk(workflowId, id);
    // The file was replaced meanwhile: the caller starts reading again.
    if (bytes === undefined) throw new WorkflowBusy(workflowId);
    yield bytes;
  }
}

const deleteFile = async ({ areas }: FileDeps, workflowId: string, path: string): Promise<void> => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const seen = await areas.find(workflowId);
    const file = fileAt(seen, path);
    if (seen === undefined || file === undefined) throw new FileNotFound(path);
    if (!(await areas.put(withoutFile(seen, path)))) continue;
    await areas.removeChunks(
      workflowId,
      file.chunks.map(({ id }) => id),
    );
    return;
  }
  throw new WorkflowBusy(workflowId);
};

export const fileUseCases = (deps: FileDeps): FileUseCases => {
  const { areas, checkClaim, serial } = deps;
  const list = async (workflowId: string): Promise<readonly AreaFile[]> => (await areas.find(workflowId))?.files ?? [];
  return {
    listFilesOfRun: async (claim) => list((await requireClaim(checkClaim, claim)).workflowId),
    listFiles: async (workflowId, user) => {
      await requireWorkflow(deps, workflowId, user);
      return list(workflowId);
    },
    readFile: (claim, path) => readFile(deps, claim, path),
    writeFile: async (claim, write, data) => {
      checkFileWrite(write);
      return writeFile(deps, await requireClaim(checkClaim, claim), write, data);
    },
    deleteFile: async (workflowId, path, user) => {
      await requireWorkflow(deps, workflowId, user);
      await serial.oneByOne(workflowId, () => deleteFile(deps, workflowId, path));
    },
  };
};
