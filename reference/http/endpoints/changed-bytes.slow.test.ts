// A byte changed in a proof or a receipt; changed-bytes.nightly has more of them.
import {
  describeBeatProofs,
  describeReceipts,
  describeWorkProofs,
  withAgents,
} from '../../../test/fixtures/changed-bytes.js';

withAgents();
describeWorkProofs(1);
describeBeatProofs();
describeReceipts([1_000]);
