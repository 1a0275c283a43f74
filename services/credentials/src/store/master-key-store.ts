import { withStore } from '@weft/service-kit/mongo';
import type { Connection } from 'mongoose';
import type { NoteFingerprint } from '../domain/master-keys';

interface MasterKeyRow {
  /** Id of the key. */
  readonly _id: string;
  readonly fingerprint: string;
}

/** Fingerprints of master keys, one for each id ever used. They never change. */
export const createNoteFingerprint = (connection: Connection): NoteFingerprint => {
  const rows = connection.collection<MasterKeyRow>('masterKeys');
  return async (kid, fingerprint) => {
    const row = await withStore(() =>
      rows.findOneAndUpdate({ _id: kid }, { $setOnInsert: { fingerprint } }, { upsert: true, returnDocument: 'after' }),
    );
    return row?.fingerprint ?? fingerprint;
  };
};
