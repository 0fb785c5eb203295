// `npm run prove -- NAME [flags]` runs a campaign; without a name it lists them all.
import { campaigns } from './list.ts';
import { misused } from './proof.ts';

const [, , name, ...args] = process.argv;
const width = Math.max(...Object.keys(campaigns).map(({ length }) => length));
const lines = Object.entries(campaigns).map(([shown, { help, flags }]) =>
  `  ${shown.padEnd(width)}  ${help} ${flags}`.trimEnd(),
);
const campaign = campaigns[name ?? ''];
if (name === undefined) process.stdout.write(`npm run prove -- NAME [flags]\n\n${lines.join('\n')}\n`);
else if (campaign) {
  // Scripts read their flags from the process.
  process.argv.splice(2, 1);
  await campaign.start(args);
} else misused(`no campaign "${name}"; there are ${Object.keys(campaigns).join(', ')}`);
