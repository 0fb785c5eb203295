// What the CDK commands run: synthesizes the service as it is deployed.
import { synthesizeApp } from '../lib/app.ts';

await synthesizeApp();
