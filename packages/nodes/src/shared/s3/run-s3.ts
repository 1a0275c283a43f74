import { type Item, type NodeContext, NodeFailure, type NodeResult, output } from '@weft/engine';
import { eachItem, type MadeItem } from '../each-item';
import { choiceParameter } from '../read-parameter';
import { createBucket, deleteBucket, listBuckets, searchBucket } from './buckets';
import { copyFile, deleteFile, downloadFile, listFiles, uploadFile } from './files';
import { createFolder, deleteFolder, listFolders } from './folders';
import { type S3Account, S3Client } from './s3-client';

/** Differences between the nodes and their versions. */
export interface S3Dialect {
  /** The parent folder of a new folder needs no trailing slash. */
  readonly joinsParents: boolean;
  /** A search accepts a delimiter and returns common prefixes. */
  readonly hasDelimiter: boolean;
  /** An upload returns the server's response. */
  readonly tellsUploads: boolean;
}

/** One item of a node run with its dependencies. */
export interface S3Call {
  readonly context: NodeContext;
  readonly client: S3Client;
  readonly dialect: S3Dialect;
  readonly item: Item;
  readonly index: number;
}

/** Runs one operation for one item. */
export type S3Operation = (call: S3Call) => Promise<readonly MadeItem[]>;

const OPERATIONS: Readonly<Record<'bucket' | 'file' | 'folder', Readonly<Record<string, S3Operation>>>> = {
  bucket: { create: createBucket, delete: deleteBucket, getAll: listBuckets, search: searchBucket },
  file: { copy: copyFile, delete: deleteFile, download: downloadFile, getAll: listFiles, upload: uploadFile },
  folder: { create: createFolder, delete: deleteFolder, getAll: listFolders },
};

/** Runs a node that works on an S3 server, item by item. @throws NodeFailure */
export const runS3 = async (context: NodeContext, account: S3Account, dialect: S3Dialect): Promise<NodeResult> => {
  const client = new S3Client(context, account);
  return output(
    await eachItem(context, (item, index) => {
      const resource = choiceParameter(context, 'resource', index, ['bucket', 'file', 'folder']);
      const known = OPERATIONS[resource];
      const name = choiceParameter(context, 'operation', index, Object.keys(known));
      const operation = known[name];
      if (operation === undefined) throw new NodeFailure(`Unknown operation: ${name}`, { itemIndex: index });
      return operation({ context, client, dialect, item, index });
    }),
  );
};
