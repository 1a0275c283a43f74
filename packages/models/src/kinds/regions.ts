import type { JsonObject } from '@weft/service-kit/json-values';
import { wordOf } from './option-values';

/** Addresses of services by the region that their credentials name. */
const REGIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  moonshotApi: { international: 'https://api.moonshot.ai/v1', china: 'https://api.moonshot.cn/v1' },
  minimaxApi: { international: 'https://api.minimax.io/v1', china: 'https://api.minimaxi.com/v1' },
  alibabaCloudApi: Object.fromEntries(
    [
      ['ap-southeast-1', 'dashscope-intl.aliyuncs.com'],
      ['us-east-1', 'dashscope-us.aliyuncs.com'],
      ['cn-beijing', 'dashscope.aliyuncs.com'],
      ['cn-hongkong', 'cn-hongkong.dashscope.aliyuncs.com'],
    ].map(([region, host]) => [region, `https://${host}/compatible-mode/v1`]),
  ),
};

/** The region with an address for each workspace. */
const FRANKFURT = 'eu-central-1';

/**
 * The address of the region of a credential, or of the first region if it names none; undefined for a type without
 * regions, and for a region that is not known.
 */
export function regionalAddress(credentialType: string, credential: JsonObject): string | undefined {
  const regions = Object.hasOwn(REGIONS, credentialType) ? REGIONS[credentialType] : undefined;
  if (regions === undefined) return undefined;
  const region = wordOf(credential, 'region') ?? Object.keys(regions)[0] ?? '';
  const workspace = wordOf(credential, 'workspaceId');
  if (credentialType === 'alibabaCloudApi' && region === FRANKFURT)
    return workspace === undefined
      ? undefined
      : `https://${encodeURIComponent(workspace)}.${FRANKFURT}.maas.aliyuncs.com/compatible-mode/v1`;
  return Object.hasOwn(regions, region) ? regions[region] : undefined;
}
