import type { NodeRun } from '@weft/client';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { itemsQuery } from '../../../api/queries';
import { Icon } from '../../../ui/icon';
import { formatDuration, plural } from '../../../ui/values/format';
import { memberOf } from '../../../ui/values/json';
import type { Graph } from '../../graph/definition';
import { RUN_WORDS, type NodeRunRow } from '../run-model';
import { atNodeRun, type InspectorSearch } from '../search';
import { usageOfCall, usageOfRun, usageText } from '../tokens';
import { dataOf, type Item, JsonView } from './item-views';

/** Runs of sub-nodes that are listed. */
const MAX_LISTED = 200;
/** Calls whose tokens are shown: the output of each is read for it. */
const MAX_COUNTED = 24;
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

/** Names of the sub-nodes that are models: those connected as one. */
const modelsOf = (graph: Graph | undefined): ReadonlySet<string> =>
  new Set((graph?.edges ?? []).filter(({ type }) => type === 'ai_languageModel').map(({ source }) => source));

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

/** Tokens of the calls of models that a sub-node made, where its output has them. */
const CallTokens = ({ id, executionIndex }: { id: string; executionIndex: number }) => {
  const [item] = useQuery(itemsQuery(id, executionIndex, 0, 0)).data?.data ?? [];
  const tokens = item === undefined ? undefined : usageOfCall(dataOf(item));
  if (tokens === undefined) return null;
  return (
    <span className="soft num">
      {usageText(tokens.usage)}
      {tokens.isEstimate && ', estimated'}
    </span>
  );
};

interface SubRunsProps {
  readonly id: string;
  readonly run: NodeRun;
  readonly rows: readonly NodeRunRow[];
  readonly graph: Graph | undefined;
  readonly change: Change;
}

/** The runs of sub-nodes that a node run made, each leading to its data, and the tokens that they used. */
export const SubRuns = ({ id, run, rows, graph, change }: SubRunsProps) => {
  const places = placesOf(run);
  const usage = usageOfRun(run);
  const models = useMemo(() => modelsOf(graph), [graph]);
  // A node that calls models itself has no sub-node runs.
  if (places.length === 0) return usage === undefined ? null : <p className="soft">Models used {usageText(usage)}.</p>;
  return (
    <section className="insection" aria-label="Sub-node runs">
      <h2>Sub-node runs</h2>
      <p className="soft">
        {plural(places.length, 'call')}
        {usage !== undefined && ` · ${usageText(usage)}`}
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
              {row !== undefined && (
                <span className={`st ${row.state}`}>
                  <Icon name={row.state} size={12} />
                  {RUN_WORDS[row.state]}
                </span>
              )}
              {row?.durationMs !== undefined && <span className="soft num">{formatDuration(row.durationMs)}</span>}
              {row?.executionIndex !== undefined && models.has(node) && number < MAX_COUNTED && (
                <CallTokens id={id} executionIndex={row.executionIndex} />
              )}
            </li>
          );
        })}
      </ol>
      {places.length > MAX_LISTED && <p className="soft">{`The first ${MAX_LISTED} are shown.`}</p>}
    </section>
  );
};
