import {
  type AttachmentType,
  inVersions,
  type KindDescriptor,
  type VersionRange,
} from '@weft/node-catalogue/definitions';

/** Ends of the links to a new node. */
export interface KindFit {
  /** True if a link leads to the new node. */
  readonly needsInput: boolean;
  /** True if a link leads on from it. */
  readonly needsOutput: boolean;
  /** True if it is the first node of the workflow: then a list without a search begins with the triggers. */
  readonly isFirst?: boolean;
  /** Type of sub-node that is wanted: only kinds that provide it are listed, tools of kinds included. */
  readonly provides?: AttachmentType;
  /** Type of the sub-node that the new node is going to use: only kinds that accept it are listed. */
  readonly accepts?: AttachmentType;
}

/** A kind in the palette. */
export interface RankedKind {
  readonly kind: string;
  /** Why it cannot be added here; absent if it can. */
  readonly refused?: string;
}

type Described = Pick<KindDescriptor, 'kind' | 'label' | 'description' | 'isTrigger' | 'inputs' | 'outputs'> &
  Partial<Pick<KindDescriptor, 'versions' | 'provides' | 'accepts' | 'toolOf'>>;

/**
 * Kinds that match a search, the best first: those whose name begins with it, then those with a word that does, then
 * those that mention it; equally good ones by how often they are used. Kinds that do not fit follow, with the reason.
 * Tools of kinds are listed only where a tool is wanted.
 * @param uses how often a kind is used
 */
export function rankKinds(
  kinds: Iterable<Described>,
  query: string,
  fit: KindFit,
  uses: ReadonlyMap<string, number>,
): RankedKind[] {
  const words = wordsOf(query);
  const isLater = ({ isTrigger }: Described): boolean => fit.isFirst === true && words.length === 0 && !isTrigger;
  const found = [...kinds].flatMap((kind) => {
    if (!isWanted(kind, fit)) return [];
    const rank = rankOf(kind, words);
    return rank === undefined ? [] : [{ kind, rank, refused: reasonAgainst(kind, fit) }];
  });
  return found
    .sort(
      (a, b) =>
        Number(a.refused !== undefined) - Number(b.refused !== undefined) ||
        a.rank - b.rank ||
        Number(isLater(a.kind)) - Number(isLater(b.kind)) ||
        (uses.get(b.kind.kind) ?? 0) - (uses.get(a.kind.kind) ?? 0) ||
        a.kind.label.localeCompare(b.kind.label),
    )
    .map(({ kind: { kind }, refused }) => (refused === undefined ? { kind } : { kind, refused }));
}

function isWanted({ versions = [], provides = [], accepts = [], toolOf }: Described, fit: KindFit): boolean {
  const has = (rules: readonly (VersionRange & { readonly type: AttachmentType })[], type: AttachmentType): boolean =>
    rules.some((rule) => rule.type === type && inVersions(rule, versions.at(-1) ?? 1));
  if (fit.provides !== undefined) return has(provides, fit.provides);
  if (fit.accepts !== undefined) return has(accepts, fit.accepts);
  return toolOf === undefined;
}

function reasonAgainst({ isTrigger, inputs, outputs }: Described, { needsInput, needsOutput }: KindFit) {
  if (needsInput && isTrigger) return 'A trigger starts the workflow, so nothing leads to it.';
  if (needsInput && inputs.length === 0) return 'It has no input.';
  if (needsOutput && outputs.length === 0) return 'It has no output, so nothing follows it.';
  return undefined;
}

/** 0 is best; undefined: it does not match. Each word of the search must match. */
function rankOf({ kind, label, description }: Described, words: readonly string[]): number | undefined {
  const names = [label.toLowerCase(), kind.toLowerCase()];
  const parts = [...wordsOf(label), ...wordsOf(kind.replace(/([a-z])([A-Z])/g, '$1 $2'))];
  const text = description.toLowerCase();
  let worst = 0;
  for (const word of words) {
    const rank = names.some((name) => name.startsWith(word))
      ? 0
      : parts.some((part) => part.startsWith(word))
        ? 1
        : names.some((name) => name.includes(word))
          ? 2
          : text.includes(word)
            ? 3
            : undefined;
    if (rank === undefined) return undefined;
    worst = Math.max(worst, rank);
  }
  return worst;
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
