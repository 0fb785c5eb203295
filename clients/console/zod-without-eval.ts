// Imported before any schema is made: zod would try whether it may make functions of text, which the page's policy forbids.
import * as z from 'zod';

z.config({ jitless: true });
