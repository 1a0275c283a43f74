import { s3Cases } from '../testing/servers/s3-cases';

export const awsS3Cases = s3Cases('awsS3', 'aws', [1, 2], ({ url }) => ({ customEndpoints: true, s3Endpoint: url }));
