import type { NodeRun } from '@weft/client';
import { formatCount, plural } from '../../../ui/values/format';
import { memberOf } from '../../../ui/values/json';
import { RUN_WORDS, type NodeRunRow } from '../run-model';
import { atNodeRun, type InspectorSearch } from '../search';
import { type Item, JsonView } from './item-views';

/** Runs of sub-nodes that are listed. */
const MAX_LISTED = 200;
/** Items of an input that are shown. */
const MAX_ITEMS = 20;

/** What a sub-node was given; undefined for a node that items reach. */
export const givenTo = (run: NodeRun | undefined): readonly Item[] | undefined => {
  const given = run?.['inputOverride'];
  if (typeof given !== 'object' || given === null) return undefined;
  const items = Object.values(given).flat(2);
  return items.filter((item): item is Item => typeof item === 'object' && item !== null);
};

type Change = (changes: Partial<InspectorSearch>) => void;

/** What a sub-node was called with, and by which node. */
export const GivenInput = ({
  items,
  callers,
  change,
}: {
  items: readonly Item[];
  callers: readonly { readonly node: string; readonly row: NodeRunRow | undefined }[];
  change: Change;
}) => (
  <section className="insection" aria-label="Input of the call">
    {callers.map(({ node, row }) => (
      <p key={node} className="soft">
        Called by{' '}
        <button type="button" className="lnk" onClick={() => change(atNodeRun(node, row?.run))}>
          {node}
        </button>
      </p>
    ))}
    {items.length === 0 && <p className="soft">It was called without input.</p>}
    {items.slice(0, MAX_ITEMS).map((item, at) => (
      <JsonView key={at} item={item} number={at} />
    ))}
  </section>
);

interface Place {
  readonly node: string;
  readonly run: number;
}

const placesOf = (run: NodeRun): readonly Place[] => {
  const listed = run.metadata?.['subRun'];
  return (Array.isArray(listed) ? listed : []).flatMap((entry: unknown) => {
    const [node, index] = [memberOf(entry, 'node'), memberOf(entry, 'runIndex')];
    return typeof node === 'string' && typeof index === 'number' ? [{ node, run: index }] : [];
  });
};

const tokensOf = (run: NodeRun): string | undefined => {
  const usage = run.metadata?.['tokenUsage'];
  const [input, output] = [memberOf(usage, 'inputTokens'), memberOf(usage, 'outputTokens')];
  if (typeof input !== 'number' || typeof output !== 'number') return undefined;
  return `${formatCount(input)} tokens in, ${formatCount(output)} out`;
};

/** The runs of sub-nodes that a node run made, each leading to its data, and the tokens that they used. */
export const SubRuns = ({ run, rows, change }: { run: NodeRun; rows: readonly NodeRunRow[]; change: Change }) => {
  const places = placesOf(run);
  if (places.length === 0) return null;
  const tokens = tokensOf(run);
  return (
    <section className="insection" aria-label="Sub-node runs">
      <h2>Sub-node runs</h2>
      <p className="soft">
        {plural(places.length, 'call')}
        {tokens !== undefined && ` · ${tokens}`}
      </p>
      <ol className="subruns">
        {places.slice(0, MAX_LISTED).map(({ node, run: at }, number) => {
          const row = rows.find((one) => one.node === node && one.run === at);
          return (
            <li key={number}>
              <button type="button" className="lnk" onClick={() => change(atNodeRun(node, at))}>
                {node}
                {at > 0 && `, run ${at + 1}`}
              </button>
              {row !== undefined && <span className="soft"> {RUN_WORDS[row.state]}</span>}
            </li>
          );
        })}
      </ol>
      {places.length > MAX_LISTED && <p className="soft">{`The first ${MAX_LISTED} are shown.`}</p>}
    </section>
  );
};
