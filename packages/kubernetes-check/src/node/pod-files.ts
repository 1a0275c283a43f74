import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { ApiError, type ApiClient } from './api-client';
import type { Container, Pod, Volume } from './objects';

/** Data of a ConfigMap or a Secret. */
interface KeyedData {
  readonly data?: Readonly<Record<string, string>>;
}

const readData = async (
  api: ApiClient,
  namespace: string,
  kind: 'configmaps' | 'secrets',
  name: string,
  isOptional = false,
): Promise<Readonly<Record<string, string>>> => {
  try {
    const { data = {} } = await api.get<KeyedData>(`/api/v1/namespaces/${namespace}/${kind}/${name}`);
    if (kind === 'configmaps') return data;
    return Object.fromEntries(
      Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8')]),
    );
  } catch (error) {
    if (isOptional && error instanceof ApiError && error.status === 404) return {};
    throw error;
  }
};

/** User and group that the processes of a pod run as. */
export const userOf = ({ spec }: Pod): { readonly uid: number; readonly gid: number } => {
  const uid = spec.containers[0]?.securityContext?.runAsUser ?? spec.securityContext?.runAsUser;
  if (uid === undefined || uid === 0) throw new Error('The pod does not say which user, other than root, it runs as.');
  return { uid, gid: spec.securityContext?.runAsGroup ?? uid };
};

const fillVolume = async (api: ApiClient, pod: Pod, { secret }: Volume, folder: string): Promise<void> => {
  const { uid, gid } = userOf(pod);
  mkdirSync(folder, { recursive: true });
  chownSync(folder, uid, gid);
  if (secret === undefined) return;
  const { secretName, optional, items } = secret;
  const data = await readData(api, pod.metadata.namespace, 'secrets', secretName, optional);
  const wanted = items ?? Object.keys(data).map((key) => ({ key, path: key }));
  for (const { key, path } of wanted) {
    const value = data[key];
    if (value === undefined) {
      if (optional === true) continue;
      throw new Error(`The secret ${secretName} has no key ${key}.`);
    }
    const file = resolve(folder, path);
    if (!file.startsWith(folder + sep)) throw new Error(`The path ${path} leaves its volume.`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, value, { mode: 0o400 });
    chownSync(file, uid, gid);
  }
};

/** The folder of a volume of a pod. */
const folderOf = (home: string, volume: string): string => join(home, 'volumes', volume);

/** Makes the volumes of a pod as folders below `home`. @throws Error if a secret or a key is missing */
export const makeVolumes = async (api: ApiClient, pod: Pod, home: string): Promise<void> => {
  for (const volume of pod.spec.volumes ?? []) await fillVolume(api, pod, volume, folderOf(home, volume.name));
};

/**
 * The environment of a container. Values that are paths in a mounted volume lead to its folder: processes of all pods
 * share one file system. @throws Error if a reference cannot be resolved
 */
export const environmentOf = async (
  api: ApiClient,
  { metadata: { namespace, name: pod } }: Pod,
  { env = [], envFrom = [], volumeMounts = [] }: Container,
  home: string,
): Promise<Readonly<Record<string, string>>> => {
  const values: Record<string, string> = { PATH: process.env['PATH'] ?? '', HOSTNAME: pod };
  for (const { configMapRef } of envFrom)
    if (configMapRef !== undefined)
      Object.assign(values, await readData(api, namespace, 'configmaps', configMapRef.name));
  for (const { name, value, valueFrom } of env) {
    if (value !== undefined) values[name] = value;
    for (const kind of ['configmaps', 'secrets'] as const) {
      const ref = kind === 'secrets' ? valueFrom?.secretKeyRef : valueFrom?.configMapKeyRef;
      if (ref === undefined) continue;
      const found = (await readData(api, namespace, kind, ref.name, ref.optional))[ref.key];
      if (found !== undefined) values[name] = found;
      else if (ref.optional !== true) throw new Error(`${kind}/${ref.name} has no key ${ref.key}.`);
    }
  }
  for (const { name: volume, mountPath } of volumeMounts) {
    const folder = folderOf(home, volume);
    if (mountPath === '/tmp') values['TMPDIR'] = folder;
    for (const [name, value] of Object.entries(values))
      if (value.startsWith(`${mountPath}/`)) values[name] = folder + value.slice(mountPath.length);
  }
  return values;
};
