// Administers a running service, local or deployed: `npm run --silent admin -- <noun> <verb> [flags]`.
import { adminCommand } from './admin/admin-command.ts';

await adminCommand(process.argv.slice(2));
