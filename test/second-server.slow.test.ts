// A second server, which was written from the specification alone. written-servers.nightly has the whole run.
import { describeSecondServer } from './fixtures/written-servers.js';

describeSecondServer('quick');
