import type { Db, Document } from 'mongodb';
import type { CheckResult } from './report';

/** Versions of MongoDB that are supported. */
const OLDEST_MAJOR = 7;
const NEWEST_TESTED_MAJOR = 8;
const MAX_SKEW_MS = 20_000;

/** Name and version of a server, as it reports them. */
export interface ServerFacts {
  readonly name: 'MongoDB' | 'FerretDB' | 'a compatible server';
  /** Version that it reports; of FerretDB, its own. */
  readonly version: string;
  readonly major: number;
}

/** Reads name and version from the responses to `buildInfo` and `hello`. */
export const factsOf = (buildInfo: Document, uri: string): ServerFacts => {
  const ferret: unknown = buildInfo['ferretdb'];
  const ownVersion = typeof ferret === 'object' && ferret !== null && 'version' in ferret ? String(ferret.version) : '';
  const reported = String(buildInfo['version'] ?? '0');
  const version = ownVersion === '' ? reported : ownVersion.replace(/^v/, '');
  const isFerret = ownVersion !== '';
  const isOther = /\.(?:docdb(?:-elastic)?\.amazonaws|cosmos\.azure|documents\.azure)\./.test(uri);
  const name = isFerret ? 'FerretDB' : isOther ? 'a compatible server' : 'MongoDB';
  return { name, version, major: Number(version.split('.')[0]) };
};

/** Judges the version. A compatible server is judged by the other checks. */
export const judgeVersion = ({ name, version, major }: ServerFacts): CheckResult => {
  const what = `MongoDB ${OLDEST_MAJOR} or ${NEWEST_TESTED_MAJOR}, or FerretDB 2`;
  const result = (outcome: CheckResult['outcome'], detail: string): CheckResult => ({
    area: 'server',
    what,
    outcome,
    detail,
  });
  if (name === 'FerretDB')
    return major === 2 ? result('ok', `FerretDB ${version}`) : result('fails', `FerretDB ${version}: use FerretDB 2`);
  if (name === 'a compatible server')
    return result('note', `reports ${version}; it is not among the stores that Weft is tested with`);
  if (!(major >= OLDEST_MAJOR)) return result('fails', `MongoDB ${version}: upgrade it to ${OLDEST_MAJOR} or newer`);
  if (major > NEWEST_TESTED_MAJOR)
    return result('note', `MongoDB ${version} is newer than those that Weft is tested with`);
  return result('ok', `MongoDB ${version}`);
};

/** The clock by which deadlines are kept, and how writes survive the loss of a server. */
export const judgeHello = (hello: Document, sentAt: number): readonly CheckResult[] => {
  const time: unknown = hello['localTime'];
  const clock = { area: 'server', what: 'its time in hello, within 20 s of this machine' } as const;
  const set: unknown = hello['setName'];
  const copies = { area: 'server', what: 'more than one copy of the data' } as const;
  return [
    time instanceof Date
      ? {
          ...clock,
          outcome: Math.abs(time.getTime() - sentAt) > MAX_SKEW_MS ? 'fails' : 'ok',
          detail: `${Math.abs(time.getTime() - sentAt)} ms apart`,
        }
      : { ...clock, outcome: 'fails', detail: 'the response has no localTime' },
    typeof set === 'string' || hello['msg'] === 'isdbgrid'
      ? { ...copies, outcome: 'ok', detail: typeof set === 'string' ? `replica set ${set}` : 'sharded cluster' }
      : { ...copies, outcome: 'note', detail: 'no replica set: what this server loses is lost, so back it up' },
  ];
};

/** Asks a server about itself. */
export const checkServer = async (db: Db, uri: string): Promise<readonly CheckResult[]> => {
  const facts = factsOf(await db.admin().command({ buildInfo: 1 }), uri);
  const sentAt = Date.now();
  return [judgeVersion(facts), ...judgeHello(await db.admin().command({ hello: 1 }), sentAt)];
};
