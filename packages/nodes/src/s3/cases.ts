import { s3Cases } from '../testing/servers/s3-cases';

export const s3KindCases = s3Cases('s3', 's3', [1], ({ url }) => ({ endpoint: url, forcePathStyle: true }));
