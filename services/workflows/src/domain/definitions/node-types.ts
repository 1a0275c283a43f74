import type { AppDocument } from '@weft/app-model';
import type { NodeType } from '@weft/proto/workflows';
import { kindOf, readKind, toolBaseOf, toolVariantOf, typeOf } from '@weft/node-catalogue';
import { describeKind, insteadOf, KIND_TABLE, kindsOfApp } from '@weft/nodes/descriptors';
import { createHash } from 'node:crypto';
import type { AppStore, AppSummary } from '../apps/app';
import { NodeTypeNotFound } from '../errors';

/** All kinds as JSON. */
export interface Catalogue {
  /** Every kind, by name. */
  readonly all: readonly NodeType[];
  /** Changes with any descriptor. */
  readonly tag: string;
}

/** The kinds of this release and those of user-defined apps. */
export interface NodeTypes {
  /** Serialised again when an app has changed. */
  readonly catalogue: () => Promise<Catalogue>;
  /** One kind, by its name or an equivalent node type. @throws NodeTypeNotFound */
  readonly one: (kindOrType: string) => Promise<{ readonly nodeType: NodeType; readonly tag: string }>;
  /** The document of the user-defined app with a kind. @throws NodeTypeNotFound */
  readonly appOf: (kindOrType: string) => Promise<string>;
}

const tagOf = (kinds: readonly NodeType[]): string => {
  const hash = createHash('sha256');
  for (const { descriptor } of kinds) hash.update(descriptor).update('\n');
  return hash.digest('hex').slice(0, 32);
};

const byKind = (one: NodeType, other: NodeType): number => (one.kind < other.kind ? -1 : 1);

/** The kinds of an app that this release does not have. */
const kindsOfDocument = (json: string): readonly NodeType[] => {
  const app: AppDocument = JSON.parse(json);
  return kindsOfApp(app)
    .filter(({ kind }) => !KIND_TABLE.has(kind))
    .map((descriptor) => ({ kind: descriptor.kind, descriptor: Buffer.from(JSON.stringify(descriptor)) }));
};

const readOwn = (): readonly NodeType[] =>
  [...KIND_TABLE].map(([kind, descriptor]) => ({ kind, descriptor: Buffer.from(JSON.stringify(descriptor)) }));

const stateOf = (apps: readonly AppSummary[]): string => apps.map(({ digest }) => digest).join(' ');

const nameOf = (kindOrType: string): string => kindOf(kindOrType) ?? kindOrType;

/** The tool of one of the kinds, which lists do not have: `slackTool`. */
const toolAmong = (all: readonly NodeType[], kind: string): NodeType | undefined => {
  const base = toolBaseOf(kind);
  const listed = base === undefined ? undefined : all.find((one) => one.kind === base);
  const descriptor = listed === undefined ? undefined : readKind(JSON.parse(listed.descriptor.toString()));
  const tool = descriptor === undefined ? undefined : toolVariantOf(descriptor);
  return tool === undefined ? undefined : { kind, descriptor: Buffer.from(JSON.stringify(tool)) };
};

const notFound = (kindOrType: string, kinds: Iterable<string>): NodeTypeNotFound => {
  return new NodeTypeNotFound(kindOrType, insteadOf(typeOf(nameOf(kindOrType)), kinds));
};

/** Creates the catalogue: that of the release is serialised once, when it is first requested. */
export const createNodeTypes = (apps: Pick<AppStore, 'list' | 'find' | 'findByKinds'>): NodeTypes => {
  let own: readonly NodeType[] | undefined;
  let last: { readonly state: string; readonly made: Catalogue } | undefined;
  const catalogue = async (): Promise<Catalogue> => {
    const all = await apps.list();
    const state = stateOf(all);
    if (last?.state === state) return last.made;
    own ??= readOwn();
    const documents = all.length === 0 ? [] : await apps.find(all.map(({ name }) => name));
    const kinds = [...own, ...documents.flatMap(({ json }) => kindsOfDocument(json))].sort(byKind);
    const made = { all: kinds, tag: tagOf(kinds) };
    // An app that was changed in between is read again with the next request.
    last = { state: stateOf(documents.toSorted((one, other) => (one.name < other.name ? -1 : 1))), made };
    return made;
  };
  /** The app with a kind, or else with the kind that it is the tool of. */
  const holderOf = async (kind: string, base: string | undefined): Promise<AppSummary | undefined> => {
    const [holder] = await apps.findByKinds([kind]);
    if (holder !== undefined || base === undefined) return holder;
    return (await apps.findByKinds([base]))[0];
  };
  const findApp = async (kindOrType: string): Promise<string> => {
    const kind = nameOf(kindOrType);
    const holder = await holderOf(kind, toolBaseOf(kind));
    const [app] = holder === undefined ? [] : await apps.find([holder.name]);
    if (app === undefined) throw notFound(kindOrType, KIND_TABLE.keys());
    return app.json;
  };
  return {
    catalogue,
    one: async (kindOrType) => {
      const kind = nameOf(kindOrType);
      const { all, tag } = await catalogue();
      const nodeType = all.find((one) => one.kind === kind) ?? toolAmong(all, kind);
      if (nodeType === undefined)
        throw notFound(
          kindOrType,
          all.map((one) => one.kind),
        );
      return { nodeType, tag };
    },
    appOf: async (kindOrType) => {
      const name = nameOf(kindOrType);
      if (describeKind(name) !== undefined) throw notFound(kindOrType, []);
      return findApp(kindOrType);
    },
  };
};
