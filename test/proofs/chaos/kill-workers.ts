// Preloaded into the service of a kill test: SIGUSR2 ends one of its function threads, as a crash of the function
// would, and SIGHUP all of them at once, with their handles of the table's file.
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

process.on('SIGHUP', () => {
  for (const thread of threads) void thread.terminate();
});
