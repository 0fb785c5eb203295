// A setup file that loads another: the module is then the one that tests import, not a second copy of it.
import './store-in-process.ts';
