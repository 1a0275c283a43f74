import { isUuid } from '@weft/service-kit/ids';

/** The closed projects, stored in one document: each change creates one new state. */
export interface StoredClosedProjects {
  /** Empty: none was ever closed. */
  readonly version: string;
  /** Includes deleted projects, because executions keep their original owner. */
  readonly projectIds: readonly string[];
}

export interface ClosedProjectStore {
  readonly read: () => Promise<StoredClosedProjects>;
  /** Undefined if the version is the stored one. */
  readonly readUnless: (version: string) => Promise<StoredClosedProjects | undefined>;
  /** @param version name of the state after the change */
  readonly close: (projectId: string, version: string) => Promise<void>;
  readonly open: (projectId: string, version: string) => Promise<void>;
}

export interface ClosedProjectPorts {
  readonly closedProjects: ClosedProjectStore;
  readonly newId: () => string;
  /** Resolves when no process uses an earlier response any more. */
  readonly untilKnown: () => Promise<void>;
}

/** Closes and opens projects. */
export interface Closing {
  readonly isClosed: (projectId: string) => Promise<boolean>;
  /** The closed ones among the ids. */
  readonly closedAmong: (projectIds: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Stores whether a project is closed. */
  readonly setClosed: (projectId: string, closed: boolean) => Promise<void>;
  /** Resolves when projects closed now are closed to every request that begins afterwards. */
  readonly untilKnown: () => Promise<void>;
}

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

/** The closed projects for other services; undefined: unchanged since the version they have. */
export type ListClosedProjects = (knownVersion: string) => Promise<StoredClosedProjects | undefined>;

/** Creates the use case. A caller without a version gets a response even if nothing was ever closed. */
export const createListClosedProjects = (closedProjects: Omit<ClosedProjectStore, 'close' | 'open'>) =>
  function listClosedProjects(knownVersion: string): ReturnType<ListClosedProjects> {
    return isUuid(knownVersion) ? closedProjects.readUnless(knownVersion) : closedProjects.read();
  };
