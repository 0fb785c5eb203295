// Handler of the queue of fires.
import { fireDue } from '#domain/monitors/fire.ts';
import { check } from '#edge/check-schema.ts';
import { queueHandler } from '#edge/queue-handler.ts';
import { configuredModel } from '#models/configured-model.ts';
import { FireMessage } from '#orchestration/fire-queue.ts';

/** Fires what is due of the monitor of each message. What fails is due until the sweep asks again. */
export const handler = queueHandler(async (message) => {
  await fireDue(FireMessage.parse(message), { model: configuredModel(), check });
  return true;
});
