// Changes records: the table, embeddings, vectors and fires of monitors.
import { buffered } from '#edge/buffered.ts';
import { router } from '#edge/router.ts';
import { route as DeleteEntities } from '../api/delete-entities.ts';
import { route as DeleteEntity } from '../api/delete-entity.ts';
import { route as ImportEntities } from '../api/import-entities.ts';
import { route as UpdateEntity } from '../api/update-entity.ts';

export const handler = buffered(
  router<'Entities'>({ ImportEntities, UpdateEntity, DeleteEntity, DeleteEntities }),
);
