// Describes the caller: the key and its workspace (rules.md: keys 7).
import type { Me } from '#contract/me.ts';
import { isSimulated } from '#contract/models.ts';
import type { CallerWithCosts } from '#domain/access/authenticate.ts';
import { availability } from '#domain/models/availability.ts';
import { configuredPrices } from '#models/configured-prices.ts';
import { picoToUsd } from '#models/pricing.ts';
import { usageOfWorkspace } from './workspace-usage.ts';

/** The caller's key, its permissions, and the limits and usage of its workspace. */
export async function whoAmI({ key, workspace, spent_today }: CallerWithCosts): Promise<Me> {
  const { workspace_id, name, tier, features } = workspace;
  const [standing, model] = await Promise.all([
    usageOfWorkspace(workspace),
    availability(configuredPrices().list),
  ]);
  return {
    object: 'key',
    key_id: key.key_id,
    name: key.name,
    scopes: key.scopes,
    expires_at: key.expires_at ?? null,
    daily_cost_limit_usd: key.daily_cost_limit_usd ?? null,
    cost_today_usd: picoToUsd(spent_today.key),
    model: { ...model, simulated: isSimulated(model.name) },
    workspace: {
      id: workspace_id,
      name,
      tier,
      features,
      ...standing,
      cost_today_usd: picoToUsd(spent_today.workspace),
    },
  };
}
