import type { Share } from '../domain/sweep-ports';

/** What a job reads at once, so that about `most` of it belong to this replica. */
export const pageOf = (share: Share, most: number): number => most * Math.min(share.count(), 10);

/** The id of something that was found due. */
export const idOf = ({ _id }: { readonly _id: string }): string => _id;
