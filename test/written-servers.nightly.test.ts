// Whole runs of the suite against servers that were written from the specification alone.
import { describePublishedServer, describeSecondServer } from './fixtures/written-servers.js';

describeSecondServer('whole');
describePublishedServer('whole');
