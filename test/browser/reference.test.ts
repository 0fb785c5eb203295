// The pages of the reference, as a reader sees them.
import { expect } from 'vitest';
import { sharedService } from '../support/service.ts';
import { accessible } from './accessibility.ts';
import { journey } from './journey.ts';

journey('the page of errors is for everybody', async ({ open }) => {
  const page = await open(`${sharedService().site_url}/docs/errors#run_not_resumable`);
  await expect.poll(() => page.getByRole('heading', { level: 1 }).count()).toBe(1);
  await accessible(page);
});
