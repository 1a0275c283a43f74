import type { ListedApp } from '../domain/decide-app';
import { credentialData, type CredentialWrite, type ListedCredential } from '../domain/decide-credential';
import { sentDefinition } from '../domain/decide-workflow';
import { Failed } from '../domain/failures';
import type { Source } from '../domain/facts';
import { KEY_SECRET, type WeftCredential, type WeftWorkflow } from '../domain/objects';
import type { AppPorts } from '../domain/reconcile-app';
import type { CredentialPorts } from '../domain/reconcile-credential';
import type { Ports } from '../domain/reconcile-workflow';
import type { Objects } from '../kubernetes/objects';
import { appSourceOf } from '../weft/app-source';
import { createChecker, type Candidate } from '../weft/checker';
import { createNamespaceSession, type SessionDeps } from '../weft/namespace-session';

export interface NamespaceDeps extends Omit<SessionDeps, 'readKey'> {
  readonly objects: Objects;
  /** Workflow objects of the namespace that wait for their first reconciliation. */
  readonly waiting: (limit: number) => readonly WeftWorkflow[];
}

const READ_AT_ONCE = 10;

const sizeOf = ({ definition }: Source): number => Buffer.byteLength(JSON.stringify(definition));

/** The calls for the objects of one namespace. */
export const createNamespace = ({ objects, waiting, ...deps }: NamespaceDeps) => {
  const { namespace } = deps;
  const session = createNamespaceSession({ ...deps, readKey: () => objects.readSecret(namespace, KEY_SECRET) });

  /** Definitions of other objects to check in the same request. */
  const others = async (uid: string, limit: number, maxBytes: number): Promise<readonly Candidate[]> => {
    const candidates: Candidate[] = [];
    let bytes = 0;
    const found = waiting(limit + 1).filter(({ metadata }) => metadata.uid !== uid);
    for (let start = 0; start < found.length; start += READ_AT_ONCE) {
      const some = found.slice(start, start + READ_AT_ONCE);
      const sources = await Promise.all(some.map((object) => objects.readSource(object)));
      for (const [index, fact] of sources.entries()) {
        const object = some[index];
        if (object === undefined || fact.state !== 'found') continue;
        bytes += sizeOf(fact.source);
        if (bytes > maxBytes || candidates.length >= limit) return candidates;
        const workflow = await session.find(object.metadata);
        candidates.push({ uid: object.metadata.uid, source: fact.source, workflowId: workflow?.id });
      }
    }
    return candidates;
  };

  const check = createChecker({ session, others, strip: sentDefinition });

  const workflowPorts: Ports = {
    weft: {
      find: session.find,
      search: session.search,
      write: session.write,
      forget: session.forget,
      check: ({ uid }, source, workflow) => check(uid, source, workflow),
    },
    objects: {
      readSource: objects.readSource,
      setFinalizer: (metadata, isSet) => objects.setFinalizer('WeftWorkflow', metadata, isSet),
      writeStatus: (metadata, status) => objects.writeStatus('WeftWorkflow', metadata, status),
      recordEvent: (metadata, event) => objects.recordEvent('WeftWorkflow', metadata, event),
    },
  };

  const readSecret = async ({ metadata, spec, status }: WeftCredential) => {
    const { secretRef } = spec;
    if (secretRef === undefined) return { state: 'found', version: '' } as const;
    const version = await objects.readSecretVersion(metadata.namespace, secretRef.name);
    if (version === undefined)
      return {
        state: 'missing',
        message: `The Secret ${secretRef.name} does not exist, or the operator may not read it.`,
      } as const;
    if (version === status?.secretResourceVersion) return { state: 'found', version } as const;
    const secret = await objects.readSecret(metadata.namespace, secretRef.name);
    const missing = Object.values(secretRef.keys).filter((key) => secret?.values.has(key) !== true);
    return missing.length === 0
      ? ({ state: 'found', version } as const)
      : ({ state: 'missing', message: `The Secret ${secretRef.name} has no key ${missing.join(', ')}.` } as const);
  };

  const listCredentials = async ({ metadata, spec, status }: WeftCredential): Promise<readonly ListedCredential[]> => {
    const all = await session.credentials(metadata.deletionTimestamp !== undefined);
    return all.filter(
      ({ id, name, type }) => id === status?.credentialId || (name === spec.name && type === spec.type),
    );
  };

  const writeCredential = (
    object: WeftCredential,
    write: CredentialWrite,
  ): Promise<{ readonly id: string; readonly version: string }> => {
    const { metadata, spec } = object;
    return session.writeCredential(metadata.deletionTimestamp !== undefined, async ({ calls, projectId }) => {
      if (write.action === 'delete') {
        await calls.deleteCredential(write.id);
        return { id: write.id, version: '' };
      }
      const { secretRef, name, type } = spec;
      const secret = secretRef && (await objects.readSecret(metadata.namespace, secretRef.name));
      if (secretRef !== undefined && secret === undefined)
        throw new Failed({ kind: 'outdated', message: `The Secret ${secretRef.name} has just been deleted.` });
      const data = credentialData(spec, secret?.values ?? new Map());
      const version = secret?.version ?? '';
      if (write.action === 'replace') {
        await calls.replaceCredential(write.id, { name, type, data });
        return { id: write.id, version };
      }
      const attempt = `k8s-${metadata.uid}-${metadata.generation}-${version}`;
      return { id: await calls.createCredential(attempt, { name, type, data, projectId }), version };
    });
  };

  const credentialPorts: CredentialPorts = {
    readSecret,
    list: listCredentials,
    write: writeCredential,
    setFinalizer: (metadata, isSet) => objects.setFinalizer('WeftCredential', metadata, isSet),
    writeStatus: (metadata, status) => objects.writeStatus('WeftCredential', metadata, status),
    recordEvent: (metadata, event) => objects.recordEvent('WeftCredential', metadata, event),
  };

  const appPorts: AppPorts = {
    readSource: async (object) => {
      const read = await objects.readAppText(object);
      return read.state === 'found' ? appSourceOf(read.text) : read;
    },
    list: ({ deletionTimestamp }) => session.apps(deletionTimestamp !== undefined),
    write: async ({ deletionTimestamp }, write): Promise<readonly ListedApp[]> => {
      const isDeleted = deletionTimestamp !== undefined;
      await session.writeApp(isDeleted, ({ calls }) =>
        write.action === 'delete'
          ? calls.deleteApp(write.name)
          : calls.putApp(write.source.name, write.source.document, write.action === 'replace' ? write.seen : undefined),
      );
      return session.apps(isDeleted);
    },
    setFinalizer: (metadata, isSet) => objects.setFinalizer('WeftApp', metadata, isSet),
    writeStatus: (metadata, status) => objects.writeStatus('WeftApp', metadata, status),
    recordEvent: (metadata, event) => objects.recordEvent('WeftApp', metadata, event),
  };

  return { session, workflowPorts, credentialPorts, appPorts };
};

export type Namespace = ReturnType<typeof createNamespace>;
