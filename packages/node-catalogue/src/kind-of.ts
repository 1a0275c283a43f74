import { editDistance } from './edit-distance';

/** Kinds that older workflows name differently, with the same meaning and the same parameters. */
export const KIND_ALIASES: Readonly<Record<string, string>> = {
  start: 'manualTrigger',
};

const BASE_TYPE = /^[A-Za-z][\w-]*-nodes-base\.([A-Za-z]\w*)$/;

/**
 * The kind of a node type: `weft-nodes-base.set`, `n8n-nodes-base.set` and any other `<prefix>-nodes-base.set` are
 * `set`. Older names become the present one (`KIND_ALIASES`). Undefined for types of other packages.
 */
export function kindOf(type: string): string | undefined {
  const kind = BASE_TYPE.exec(type)?.[1];
  if (kind === undefined) return undefined;
  return Object.hasOwn(KIND_ALIASES, kind) ? KIND_ALIASES[kind] : kind;
}

/**
 * The known kinds whose names are closest to `name`, nearest first, at most `count`. Only plausible ones: few edits
 * away, or one name within the other.
 */
export function nearestKinds(name: string, known: readonly string[], count = 3): string[] {
  const wanted = name.slice(0, 64).toLowerCase();
  return known
    .map((kind) => ({ kind, distance: closeness(wanted, kind.toLowerCase()) }))
    .filter(({ distance }) => distance <= Math.max(3, wanted.length * 0.6))
    .sort((a, b) => a.distance - b.distance || a.kind.localeCompare(b.kind))
    .slice(0, count)
    .map(({ kind }) => kind);
}

function closeness(wanted: string, kind: string): number {
  return wanted.length >= 3 && (kind.includes(wanted) || wanted.includes(kind)) ? 1 : editDistance(wanted, kind);
}
