// What the CDK commands run: synthesizes the service as it is deployed.
import { synthesizeApp } from '../lib/app.ts';
import { WrongSettings } from '../lib/stage.ts';

try {
  await synthesizeApp();
} catch (error) {
  if (!(error instanceof WrongSettings)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
