// Preloaded into the service of a kill test: SIGUSR2 ends one of its function threads, as a crash of the function
// would.
import { subscribe } from 'node:diagnostics_channel';
import { Worker } from 'node:worker_threads';

const threads = new Set<Worker>();

subscribe('worker_threads', (message) => {
  const thread = Object(message).worker;
  if (!(thread instanceof Worker)) return;
  threads.add(thread);
  thread.once('exit', () => threads.delete(thread));
});

process.on('SIGUSR2', () => {
  const living = [...threads];
  void living[Math.floor(Math.random() * living.length)]?.terminate();
});
