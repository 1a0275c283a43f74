import { isUuid } from '@weft/service-kit/ids';

/** The closed projects as they are stored, all in one place: each change makes one new state of them. */
export interface StoredClosedProjects {
  /** Empty: none was ever closed. */
  readonly version: string;
  /** Also of projects that were deleted since: executions keep the owner they began with. */
  readonly projectIds: readonly string[];
}

/** Store of what is closed. */
export interface ClosedProjectStore {
  readonly read: () => Promise<StoredClosedProjects>;
  /** Undefined if the version is the stored one. */
  readonly readUnless: (version: string) => Promise<StoredClosedProjects | undefined>;
  /** @param version names the state that the change makes */
  readonly close: (projectId: string, version: string) => Promise<void>;
  readonly open: (projectId: string, version: string) => Promise<void>;
}

/** Dependencies of the use cases. */
export interface ClosedProjectPorts {
  readonly closedProjects: ClosedProjectStore;
  readonly newId: () => string;
  /** Resolves when no process goes any more by what it was answered before. */
  readonly untilKnown: () => Promise<void>;
}

/** Closes and opens projects. */
export interface Closing {
  readonly isClosed: (projectId: string) => Promise<boolean>;
  /** Which of them are closed. */
  readonly closedAmong: (projectIds: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Stores that a project is closed, or open. */
  readonly setClosed: (projectId: string, closed: boolean) => Promise<void>;
  /** Resolves when what is closed now is closed to every request that begins from then on. */
  readonly untilKnown: () => Promise<void>;
}

/** Creates the operations. */
export const createClosing = ({ closedProjects, newId, untilKnown }: ClosedProjectPorts): Closing => {
  const closedAmong: Closing['closedAmong'] = async (projectIds) => {
    const closed = new Set((await closedProjects.read()).projectIds);
    return new Set(projectIds.filter((id) => closed.has(id)));
  };
  return {
    closedAmong,
    untilKnown,
    isClosed: async (projectId) => (await closedAmong([projectId])).has(projectId),
    setClosed: (projectId, closed) => (closed ? closedProjects.close : closedProjects.open)(projectId, newId()),
  };
};

/** Which projects are closed, for other services; undefined: as in the version that they know. */
export type ListClosedProjects = (knownVersion: string) => Promise<StoredClosedProjects | undefined>;

/** Creates the use case. A caller that knows nothing is answered even if nothing was ever closed. */
export const createListClosedProjects = (closedProjects: Omit<ClosedProjectStore, 'close' | 'open'>) =>
  function listClosedProjects(knownVersion: string): ReturnType<ListClosedProjects> {
    return isUuid(knownVersion) ? closedProjects.readUnless(knownVersion) : closedProjects.read();
  };
