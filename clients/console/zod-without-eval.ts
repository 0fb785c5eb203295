// Imported before any schema is created: zod would try to compile functions, which the page's policy forbids.
import * as z from 'zod';

z.config({ jitless: true });
