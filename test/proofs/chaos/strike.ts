// What a kill test kills.
import type { ServiceProcess } from './service-process.ts';

/** The service, one thread of a function, all of them with their handles of the table's file. */
export const victims = ['service', 'worker', 'handles'] as const;
export type Victim = (typeof victims)[number];

/** Kills it; the service starts again on its data. */
export async function strike(service: ServiceProcess, victim: Victim): Promise<void> {
  if (victim === 'worker') return service.killWorker();
  if (victim === 'handles') return service.killHandles();
  await service.kill();
  await service.start();
}
