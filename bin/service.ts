// The entry point of the CDK commands: synthesizes the service for deployment.
import { deployed, synthesizeApp } from '../lib/app.ts';
import { WrongSettings } from '../lib/stage.ts';

try {
  await synthesizeApp(deployed);
} catch (error) {
  if (!(error instanceof WrongSettings)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
