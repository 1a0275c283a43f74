import type { NodeRun } from '@weft/client';
import { ITEMS_PAGE } from '../../../api/queries';
import { memberOf } from '../../../ui/values/json';
import type { InspectorSearch } from '../search';

/** An item that another one was made from. */
interface Origin {
  readonly node: string;
  readonly run: number;
  readonly output: number;
  /** Counts from 0. */
  readonly item: number;
}

/** Links of one item; more would be a sum of many. */
const MAX_SHOWN = 5;

const isIndex = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

/** The items that an item was made from, by the inputs of its node run. */
const originsOf = (pairedItem: unknown, sources: NonNullable<NodeRun['source']>): readonly Origin[] =>
  (Array.isArray(pairedItem) ? pairedItem : [pairedItem]).slice(0, MAX_SHOWN).flatMap((link: unknown): Origin[] => {
    const item = isIndex(link) ? link : memberOf(link, 'item');
    const input = memberOf(link, 'input') ?? 0;
    const source = isIndex(input) ? sources[input] : undefined;
    if (!isIndex(item) || source === undefined || source === null) return [];
    const { previousNode: node, previousNodeRun: run = 0, previousNodeOutput: output = 0 } = source;
    return [{ node, run, output, item }];
  });

/** Links from an item to those that it was made from. */
export const Origins = ({
  item,
  sources,
  change,
}: {
  item: unknown;
  sources: NodeRun['source'] | undefined;
  change: (changes: Partial<InspectorSearch>) => void;
}) => {
  const origins = originsOf(memberOf(item, 'pairedItem'), sources ?? []);
  if (origins.length === 0) return null;
  return (
    <p className="soft acts">
      Made from
      {origins.map(({ node, run, output, item: index }) => (
        <button
          key={`${node} ${run} ${output} ${index}`}
          type="button"
          className="lnk"
          onClick={() =>
            change({
              node,
              run,
              output,
              item: index,
              page: Math.floor(index / ITEMS_PAGE),
              view: 'json',
              tab: undefined,
            })
          }
        >
          item {index + 1} of {node}
        </button>
      ))}
    </p>
  );
};
