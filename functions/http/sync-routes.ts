// Inbound sync: decrypts the secrets of bridges, embeds texts.
import { buffered } from '#edge/buffered.ts';
import { router } from '#edge/router.ts';
import { route as ReceiveSync } from '../api/receive-sync.ts';

export const handler = buffered(router<'Sync'>({ ReceiveSync }));
