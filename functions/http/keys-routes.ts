// Issues API keys, whose signing secrets it encrypts.
import { buffered } from '#edge/buffered.ts';
import { router } from '#edge/router.ts';
import { route as CreateKey } from '../api/create-key.ts';
import { route as RotateKey } from '../api/rotate-key.ts';

export const handler = buffered(router<'Keys'>({ CreateKey, RotateKey }));
