// A second server that does as the published one, in its dialect. written-servers.nightly has the whole run.
import { describePublishedServer } from './fixtures/written-servers.js';

describePublishedServer('quick');
